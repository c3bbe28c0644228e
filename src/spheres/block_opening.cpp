// Compiled once per instruction set.
#include "spheres/block_opening.h"

#include <plimsoll/assert.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "spheres/block_opening.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "simd/wide_triple.h"
#include "spheres/lens.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::HWY_NAMESPACE {
namespace {
#include "spheres/block_rows.inc"
#include "spheres/lens.inc"

/// Turns 0 / 0 into 0.
constexpr float kTiny = 1e-30F;

/// The balls and boxes below a block in the frame of another block.
struct PosedChildren {
  alignas(64) float center[3][kWidth], radius[kWidth];
  float box_center[3][kWidth], box_half[3][kWidth];  ///< Around the boxes.
  float filled[2][kWidth];  ///< The part of such a box that the spheres below fill.
};

/// What a child has in common with sixteen others.
struct alignas(64) ExpectedRow {
  float key[kWidth], volume[kWidth], primary[kWidth], place[3][kWidth], push[3][kWidth];
};

/// Which balls are compared: those that are asked for, and the primary ones too for forces.
struct Balls {
  std::size_t asked;
  bool with_forces;

  [[nodiscard]] std::size_t count() const { return with_forces && asked != 0 ? 2 : 1; }
  [[nodiscard]] std::size_t number(std::size_t k) const { return k == 0 ? asked : 0; }
};

/// S(u) of block_opening.h.
HWY_INLINE Floats part_below(const Floats& u) { return u * u * (everywhere<Floats>(3) - (u + u)); }

/// The parts of what is below a block, and of its box, that another box holds: g and e.
struct Parts {
  Floats mass, space;
};

HWY_INLINE Parts parts_within(const Triple<Floats>& center, const Triple<Floats>& half,
                              const Triple<Floats>& other, const Triple<Floats>& other_half) {
  const Floats zero = everywhere<Floats>(0), one = everywhere<Floats>(1),
               middle = everywhere<Floats>(0.5F);
  Parts parts = {one, one};
  for (std::size_t i = 0; i < 3; ++i) {
    const Floats per_width = middle / half[i], off = other[i] - center[i];
    const Floats low = clamped((off - other_half[i]) * per_width + middle, zero, one);
    const Floats high = clamped((off + other_half[i]) * per_width + middle, zero, one);
    parts.mass = parts.mass * max(zero, part_below(high) - part_below(low));
    parts.space = parts.space * (high - low);
  }
  return parts;
}

/// n: 0 where a ball of radius r does not reach as far as `gap`, and 1 where it reaches farther by
/// kApproach.
HWY_INLINE Floats approach(const Floats& r, const Floats& gap, const Floats& smaller) {
  return clamped((r - gap) / (everywhere<Floats>(kApproach) * smaller + everywhere<Floats>(kTiny)),
                 everywhere<Floats>(0), everywhere<Floats>(1));
}

class Opening {
 public:
  Opening(const PosedBlocks& bodies, Balls balls, OpenedPair& opened)
      : bodies_(bodies), balls_(balls), opened_(opened) {
    opened_.children.clear();
    opened_.known = {};
  }

  void open_roots() {
    open_blocks(bodies_.a.top, bodies_.a.below_top, bodies_.b.top, bodies_.b.below_top, false);
  }

  void open(const BlockPair& pair) {
    const SphereBlocks &of_from = tree(pair.is_from_b), &of_to = tree(!pair.is_from_b);
    const SphereBlock &from = of_from.blocks[pair.from], &to = of_to.blocks[pair.to];
    if (from.has_spheres)
      open_by_spheres(pair, from, to, of_to.below[pair.to]);
    else
      open_blocks(from, of_from.below[pair.from], to, of_to.below[pair.to], pair.is_from_b);
  }

 private:
  [[nodiscard]] const SphereBlocks& tree(bool is_b) const { return is_b ? bodies_.b : bodies_.a; }
  /// From the frame of `from` to that of `to`.
  [[nodiscard]] const BlockMap& map(bool is_from_b) const {
    return is_from_b ? bodies_.a_from_b : bodies_.b_from_a;
  }
  /// The cubed unit of a tree, in that of `a`.
  [[nodiscard]] float cube(bool is_b) const {
    const float scale = bodies_.a_from_b.scale;
    return is_b ? scale * scale * scale : 1.0F;
  }

  /// Rows are the spheres' parts of the subtrees.
  void open_by_spheres(const BlockPair& pair, const SphereBlock& from, const SphereBlock& to,
                       const Subtrees& below) {
    ExpectedRow row{};
    std::uint16_t meeting[kWidth] = {};
    for (std::size_t j = 0; j < balls_.count(); ++j) {
      const std::size_t ball = balls_.number(j);
      PosedRows rows;
      const BlockMap& to_from = map(pair.is_from_b);
      const Triple<float> offset = posed_origin(to_from, from, to);
      rows.rounding = row_rounding(to_from, from, to, ball, offset);
      rows.near = pair.rows;
      place_rows(to_from, from, offset, ball, rows);
      leave_out_beyond(to.box, rows);
      if (rows.near != 0) add_parts(rows, ball, to, below, !pair.is_from_b, row, meeting);
    }
    for (std::size_t lane = 0; lane < to.count; ++lane)
      if (meeting[lane] != 0)
        add_child(row, lane, {pair.from, to.child[lane], meeting[lane], pair.is_from_b}, to,
                  !pair.is_from_b);
  }

  HWY_INLINE void add_parts(const PosedRows& rows, std::size_t ball, const SphereBlock& to,
                            const Subtrees& below, bool is_to_b, ExpectedRow& row,
                            std::uint16_t (&meeting)[kWidth]) {
    const Floats zero = everywhere<Floats>(0), rounding = everywhere<Floats>(rows.rounding);
    const Floats cubed = everywhere<Floats>(cube(is_to_b));
    const bool is_pushed = balls_.with_forces && ball == 0;
    alignas(64) float whole[kWidth] = {};
    bool is_any_whole = false;
    for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
      const Triple<Floats> center = load<Floats>(to.center, lane);
      const Triple<Floats> box = load<Floats>(below.box_center, lane);
      const Triple<Floats> half = load<Floats>(below.box_half, lane);
      const Floats radius = load<Floats>(to.radius[ball] + lane);
      const Floats volume = cubed * load<Floats>(below.volume[ball] + lane);
      Floats expected = zero, key = zero;
      Triple<Floats> push = {zero, zero, zero};
      for (unsigned left = rows.near; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const Triple<Floats> at = everywhere<Floats>(rows.center, k);
        const Floats r = everywhere<Floats>(rows.radius[k]), reach = r + rounding;
        const Triple<Floats> to_box = box - at, off = center - at;
        const Floats gap = box_squared(to_box, half), squared = dot(off, off);
        const auto is_near = gap < reach * reach;
        unsigned meet = bits_of(Floats::kTag, is_near) & (to.all() >> lane);
        if (meet == 0) continue;
        const Floats distance = square_root(squared);
        const Floats part = part_of(to_box, half, gap, distance, r, reach, radius);
        Floats share = select_or_zero(is_near, volume * part);
        const Floats room = r - (radius + rounding);
        const auto is_whole = all_hold(is_near, room > zero, squared <= room * room);
        // Forces need every sphere.
        const unsigned within = balls_.with_forces ? 0 : bits_of(Floats::kTag, is_whole) & meet;
        if (within != 0) {
          is_any_whole = true;
          meet &= ~within;
          const Floats below_it = load<Floats>(below.volume[ball] + lane);
          store(load<Floats>(whole + lane) + select_or_zero(is_whole, below_it), whole + lane);
          share = select(is_whole, zero, share);
        }
        expected = expected + share;
        key = key + share * key_of(part, (r - distance) / (radius + everywhere<Floats>(kTiny)));
        if (is_pushed) push = push + along(off, distance, r, radius, share);
        for (; meet != 0; meet &= meet - 1)
          meeting[lane + static_cast<std::size_t>(std::countr_zero(meet))] |=
              static_cast<std::uint16_t>(1U << k);
      }
      store(max(key, load<Floats>(row.key + lane)), row.key + lane);
      if (ball == balls_.asked) {
        store(expected, row.volume + lane);
        store(load<Floats>(below.center[ball], lane), row.place, lane);
      }
      if (!is_pushed) continue;
      store(expected, row.primary + lane);
      store(push, row.push, lane);
    }
    if (is_any_whole) add_whole(whole, below, ball, to, is_to_b);
  }

  /// f of block_opening.h.
  static HWY_INLINE Floats part_of(const Triple<Floats>& to_box, const Triple<Floats>& half,
                                   const Floats& gap, const Floats& distance, const Floats& r,
                                   const Floats& reach, const Floats& radius) {
    const Floats tiny = everywhere<Floats>(kTiny), one = everywhere<Floats>(1);
    const Floats width = ((absolute(to_box[0]) * half[0] + absolute(to_box[1]) * half[1]) +
                          absolute(to_box[2]) * half[2]) /
                         (max(square_root(dot(to_box, to_box)), r) + tiny);
    const Floats of_box = (reach - square_root(gap)) / (width + width + tiny);
    const Floats inside = (r - distance) / (radius + tiny);
    const Floats lens = lens_moments<Floats>(r, radius, distance, tiny).volume;
    const Floats ball = everywhere<Floats>(16) * (radius * radius * radius) + tiny;
    return clamped(min(max(of_box, inside), lens / ball), everywhere<Floats>(0), one);
  }

  /// What the expected volume of a part may be off by, over that volume; `inside` is (r - d) / R.
  static HWY_INLINE Floats key_of(const Floats& part, const Floats& inside) {
    const Floats one = everywhere<Floats>(1);
    const Floats beyond =
        clamped(everywhere<Floats>(0.5F) * (one - inside), everywhere<Floats>(0), one);
    return (one - part) + everywhere<Floats>(kLeastKey) * beyond;
  }

  /// A push from one center to the other, faded as lens_push() is.
  static HWY_INLINE Triple<Floats> along(const Triple<Floats>& off, const Floats& distance,
                                         const Floats& r, const Floats& s, const Floats& push) {
    const Floats faded = everywhere<Floats>(static_cast<float>(kFade)) * min(r, s);
    return (push / (max(distance, faded) + everywhere<Floats>(kTiny))) * off;
  }

  void add_whole(const float (&volume)[kWidth], const Subtrees& below, std::size_t ball,
                 const SphereBlock& to, bool is_to_b) {
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      const double part = volume[lane];
      opened_.known.volume[is_to_b] += part;
      for (std::size_t i = 0; i < 3; ++i)
        opened_.known.moment[is_to_b][i] +=
            part * (to.origin[i] + static_cast<double>(below.center[ball][i][lane]));
    }
  }

  /// The radii of a block's children, or of those that are the larger.
  HWY_INLINE Floats radii(const SphereBlock& block, std::size_t lane) const {
    const Floats asked = load<Floats>(block.radius[balls_.asked] + lane);
    return balls_.count() == 1 ? asked : max(asked, load<Floats>(block.radius[0] + lane));
  }

  [[nodiscard]] Floats radius(const SphereBlock& block, std::size_t k) const {
    const float asked = block.radius[balls_.asked][k];
    return everywhere<Floats>(balls_.count() == 1 ? asked : std::max(asked, block.radius[0][k]));
  }

  HWY_INLINE void pose_children(const BlockMap& map, const SphereBlock& block,
                                const Subtrees& below, const SphereBlock& to,
                                PosedChildren& posed) const {
    const Triple<float> offset = posed_origin(map, block, to);
    const Floats room = everywhere<Floats>(row_rounding(map, block, to, 0, offset) +
                                           row_rounding(map, block, to, 1, offset));
    const Floats tiny = everywhere<Floats>(kTiny), one = everywhere<Floats>(1);
    const Floats scale = everywhere<Floats>(map.scale);
    const Floats cubed = everywhere<Floats>(static_cast<float>(std::numbers::pi / 96) *
                                            (map.scale * map.scale * map.scale));
    for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
      const Triple<Floats> center = load<Floats>(block.center, lane);
      const Triple<Floats> box = load<Floats>(below.box_center, lane);
      const Triple<Floats> half = load<Floats>(below.box_half, lane);
      Triple<Floats> around;
      for (std::size_t i = 0; i < 3; ++i) {
        const Triple<float> row = {map.turn[i][0], map.turn[i][1], map.turn[i][2]};
        const Triple<float> sizes = {std::fabs(row[0]), std::fabs(row[1]), std::fabs(row[2])};
        const Floats shift = everywhere<Floats>(offset[i]);
        store(dot(everywhere<Floats>(row), center) + shift, posed.center[i] + lane);
        store(dot(everywhere<Floats>(row), box) + shift, posed.box_center[i] + lane);
        around[i] = dot(everywhere<Floats>(sizes), half) + room;
        store(around[i], posed.box_half[i] + lane);
      }
      store(scale * radii(block, lane) + room, posed.radius + lane);
      const Floats space = around[0] * around[1] * around[2] + tiny;
      for (std::size_t ball = 0; ball < 2; ++ball)
        store(min(one, cubed * load<Floats>(below.volume[ball] + lane) / space),
              posed.filled[ball] + lane);
    }
  }

  /// A bit for each box that meets one around a block.
  HWY_INLINE unsigned meeting_boxes(const PosedChildren& boxes, const BlockBox& box) const {
    unsigned near = 0;
    for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth) {
      Floats gap = everywhere<Floats>(-1);
      for (std::size_t i = 0; i < 3; ++i)
        gap = max(
            gap,
            absolute(load<Floats>(boxes.box_center[i] + lane) - everywhere<Floats>(box.center[i])) -
                (load<Floats>(boxes.box_half[i] + lane) + everywhere<Floats>(box.half[i])));
      near |= bits_of(Floats::kTag, gap < everywhere<Floats>(0)) << lane;
    }
    return near;
  }

  void open_blocks(const SphereBlock& from, const Subtrees& from_below, const SphereBlock& to,
                   const Subtrees& to_below, bool is_from_b) {
    const BlockMap &to_from = map(is_from_b), &from_to = map(!is_from_b);
    PosedChildren rows, columns;
    pose_children(to_from, from, from_below, to, rows);
    unsigned near = meeting_boxes(rows, to.box) & from.all();
    if (near == 0) return;
    pose_children(from_to, to, to_below, from, columns);
    const unsigned back = meeting_boxes(columns, from.box) & to.all();
    for (; near != 0; near &= near - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(near));
      ExpectedRow row;
      unsigned meet = 0;
      for (std::size_t lane = 0; lane < kWidth; lane += Floats::kWidth)
        meet |= expect(rows, columns, from, from_below, to, to_below, is_from_b, k, lane, row)
                << lane;
      for (meet &= back; meet != 0; meet &= meet - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(meet));
        add_child(row, lane, spheres_first(bodies_, from.child[k], to.child[lane], is_from_b), to,
                  !is_from_b);
      }
    }
  }

  /// Sets what child k of one block and those of the other from `lane` on have in common. Returns a
  /// bit for each pair that has.
  HWY_INLINE unsigned expect(const PosedChildren& rows, const PosedChildren& columns,
                             const SphereBlock& from, const Subtrees& from_below,
                             const SphereBlock& to, const Subtrees& to_below, bool is_from_b,
                             std::size_t k, std::size_t lane, ExpectedRow& row) const {
    const Floats tiny = everywhere<Floats>(kTiny), one = everywhere<Floats>(1);
    const Triple<Floats> at = everywhere<Floats>(rows.box_center, k);
    const Triple<Floats> half = everywhere<Floats>(rows.box_half, k);
    const Triple<Floats> box = everywhere<Floats>(from_below.box_center, k);
    const Triple<Floats> box_half = everywhere<Floats>(from_below.box_half, k);
    const Triple<Floats> to_box = load<Floats>(to_below.box_center, lane);
    const Triple<Floats> to_half = load<Floats>(to_below.box_half, lane);
    Parts of_to = parts_within(to_box, to_half, at, half);
    Parts of_from = parts_within(box, box_half, load<Floats>(columns.box_center, lane),
                                 load<Floats>(columns.box_half, lane));
    const Floats to_dense = of_to.mass / (of_to.space + tiny);
    const Floats from_dense = of_from.mass / (of_from.space + tiny);

    const Triple<Floats> ball = everywhere<Floats>(rows.center, k);
    const Floats r = everywhere<Floats>(rows.radius[k]), s = radii(to, lane);
    const Triple<Floats> off = load<Floats>(to.center, lane) - ball;
    const Floats distance = square_root(dot(off, off));
    const Floats back_r = load<Floats>(columns.radius + lane);
    const Floats to_gap = square_root(box_squared(to_box - ball, to_half));
    const Floats from_gap =
        square_root(box_squared(load<Floats>(columns.center, lane) - box, box_half));
    const Floats near = min(approach(r, max(distance - s, to_gap), min(r, s)),
                            approach(back_r, from_gap, min(back_r, radius(from, k))));
    of_to.mass = everywhere<Floats>(cube(!is_from_b)) * (near * of_to.mass);
    of_from.mass = everywhere<Floats>(cube(is_from_b)) * (near * of_from.mass);

    Floats key = everywhere<Floats>(0);
    for (std::size_t j = 0; j < balls_.count(); ++j) {
      const std::size_t kind = balls_.number(j);
      const Floats x = of_from.mass * everywhere<Floats>(from_below.volume[kind][k]);
      const Floats y = of_to.mass * load<Floats>(to_below.volume[kind] + lane);
      const Floats expected =
          min(x * min(one, to_dense * load<Floats>(columns.filled[kind] + lane)),
              y * min(one, from_dense * everywhere<Floats>(rows.filled[kind][k])));
      key = max(key, everywhere<Floats>(1 + kLeastKey) * min(x, y) - expected);
      if (kind == balls_.asked) store(expected, row.volume + lane);
      if (kind != 0 || !balls_.with_forces) continue;
      store(expected, row.primary + lane);
      store(along(off, distance, r, s, expected), row.push, lane);
    }
    store(key, row.key + lane);
    for (std::size_t i = 0; i < 3; ++i)
      store(everywhere<Floats>(0.5F) * (max(at[i] - half[i], to_box[i] - to_half[i]) +
                                        min(at[i] + half[i], to_box[i] + to_half[i])),
            row.place[i] + lane);
    return bits_of(Floats::kTag, key > everywhere<Floats>(0));
  }

  void add_child(const ExpectedRow& row, std::size_t lane, const BlockPair& pair,
                 const SphereBlock& to, bool is_to_b) {
    ExpectedPair child;
    child.pair = pair;
    child.key = row.key[lane];
    child.volume = row.volume[lane];
    child.is_in_b = is_to_b;
    // The push goes from the block of `a` to that of `b`.
    const float sign = is_to_b ? 1.0F : -1.0F;
    child.primary = balls_.with_forces ? row.primary[lane] : 0;
    for (std::size_t i = 0; i < 3; ++i) {
      child.place[i] = to.origin[i] + static_cast<double>(row.place[i][lane]);
      child.push[i] = balls_.with_forces ? sign * row.push[i][lane] : 0;
    }
    opened_.children.push_back(child);
  }

  const PosedBlocks& bodies_;
  Balls balls_;
  OpenedPair& opened_;
};

void open_two(const PosedBlocks& bodies, NodeBall ball, bool with_forces, const BlockPair* pair,
              OpenedPair& opened) {
  Opening opening(bodies, {static_cast<std::size_t>(ball), with_forces}, opened);
  if (pair == nullptr)
    opening.open_roots();
  else
    opening.open(*pair);
}

}  // namespace
}  // namespace plimsoll::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll {
namespace {
HWY_EXPORT(open_two);
}

void open_roots(const PosedBlocks& bodies, NodeBall ball, bool with_forces, OpenedPair& opened) {
  PLIMSOLL_ASSERT(ball != NodeBall::kReach, "reach balls are no spheres of a packing");
  PLIMSOLL_ASSERT(bodies.are_alike(), "the sizes of the bodies are beyond floats");
  HWY_DYNAMIC_DISPATCH(open_two)(bodies, ball, with_forces, nullptr, opened);
}

void open_pair(const PosedBlocks& bodies, NodeBall ball, bool with_forces, const BlockPair& pair,
               OpenedPair& opened) {
  HWY_DYNAMIC_DISPATCH(open_two)(bodies, ball, with_forces, &pair, opened);
}

}  // namespace plimsoll
#endif  // HWY_ONCE
