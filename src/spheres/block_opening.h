// What is expected of pairs of blocks, and what becomes of a pair that is opened.
#pragma once

#include <cstddef>
#include <vector>

#include "spheres/block_overlap.h"
#include "spheres/block_pose.h"
#include "spheres/sphere_walk.h"

namespace plimsoll {

/// Two blocks that were not opened. Volumes are in the cubed unit of `a`, over pi / 12; m is the
/// volume of the spheres below a block.
///
/// *Two blocks.* Many blocks are flat, and balls around them mostly empty: the boxes count. In the
/// frame of either block, a box is put around the box of the other. Along each axis it holds the
/// part [x, y] of the block's own box, and with S(u) = u^2 (3 - 2 u) the part S(y) - S(x) of what
/// is below: there is more in the middle of a box than near its sides, where bodies that touch
/// meet. g is the product of these parts over the axes, e that of y - x, and q the part of the box
/// around a block that its spheres fill. The volume in common is expected to be
///
///   E = n min(m_X g_X min(1, q_Y g_Y / e_Y), m_Y g_Y min(1, q_X g_X / e_X)),
///
/// and is about M = n min(m_X g_X, m_Y g_Y) at most. n goes from 0 to 1 while balls approach, over
/// kApproach of the smaller radius: both balls, or one and the other box. The key is
/// (1 + kLeastKey) M - E.
///
/// *Spheres and a block.* A sphere of radius r, whose center is d from that of the block's ball of
/// radius R and D from its box, is expected to hold the part
///
///   f = min(1, max((r - D) / 2 h, (r - d) / R), lens / ball)
///
/// of m: h is half the width of the box toward the sphere, the lens that of the sphere and the
/// ball. This is m where the ball lies in the sphere, and 0 where box or ball is apart from it. E
/// is the sum of m f over the spheres. The key is the sum of m f (1 - f + kLeastKey (1 - i)), where
/// i is the part of the ball's diameter that lies in the sphere, so that the key is 0 when the
/// block begins to count whole.
///
/// Without S, 100 pairs of two plates with 400 hills were expected to share 4 to 370 times what
/// they do, and with S 0.2 to 7 times; with balls alone and the key (1 - p p) V [Weller2009,
/// sec. 4.2.3] it was 13 to 32,000 times after 100 us. Without the lens, 100 pairs of a torso at 10
/// % were expected to share 7 to 34 % too much, and with it 1 to 7 % too little.
struct ExpectedPair {
  BlockPair pair;
  float key;
  float volume;   ///< E.
  float primary;  ///< E of the primary spheres; 0 unless forces are asked for.
  float push[3];  ///< `primary` along the lines of centers from `a` to `b`, as lens_push() fades.
  /// The middle of what the boxes share, or the centroid of what is below the block, in the unit of
  /// the tree.
  double place[3];
  bool is_in_b;  ///< Push and place are in the frame of `b`, not of `a`.
};

/// What comes out of one pair; lists keep their memory.
struct OpenedPair {
  std::vector<ExpectedPair> children;
  BlockSums known;  ///< Subtrees that lie in a sphere.
};

/// No key is a smaller part of M: keys of pairs that are known almost whole order them too.
inline constexpr float kLeastKey = 0.01F;

/// The part of the smaller radius over which expected volumes begin.
inline constexpr float kApproach = 0.25F;

/// The pair of both roots, as if it was what a pair was opened to. As open_pair().
void open_roots(const PosedBlocks& bodies, NodeBall ball, bool with_forces, OpenedPair& opened);

/// Compares the children of two blocks of blocks, or the spheres of a block with the children of
/// another. Sets all of `opened`; the same bits for every instruction set. Expected volumes and
/// keys are continuous in the pose, but for the rounding of floats, and 0 where a child begins to
/// be left out. For forces both kinds of spheres count, and no subtree is known as a whole.
/// Preconditions: not NodeBall::kReach; bodies.are_alike(); not two blocks of spheres.
void open_pair(const PosedBlocks& bodies, NodeBall ball, bool with_forces, const BlockPair& pair,
               OpenedPair& opened);

}  // namespace plimsoll
