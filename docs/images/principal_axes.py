#!/usr/bin/env python3
"""Draws principal_axes.svg: a boat, its principal axes, and the box with its mass and inertia.

  docs/images/principal_axes.py [PLIMSOLL OUT.svg]     needs nothing but Python and the program, that of
                                                       the release build if none is given
"""
import json, math, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLIMSOLL, OUT = sys.argv[1:] or (HERE.parents[1] / "build/release/plimsoll", HERE / "principal_axes.svg")
WIDTH, HEIGHT, SCALE = 960, 500, 205.0
DENSITY = 500  # of pine [kg/m^3]
WATERLINE = 0.02

add = lambda a, b: [x + y for x, y in zip(a, b)]
mul = lambda s, a: [s * x for x in a]
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
sub = lambda a, b: add(a, mul(-1, b))
cross = lambda a, b: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
unit = lambda a: mul(1 / math.sqrt(dot(a, a)), a)


def section(u, t):
    """A point of the starboard side: u from stern to bow along x, t from keel to deck edge, both 0 to 1."""
    bow = u ** 5
    beam = 0.56 * (1 - u ** 3.2) ** 0.8 * (0.86 + 0.14 * math.sin(math.pi * min(1, 1.5 * u + 0.2)))
    sheer = 0.40 + 0.50 * (u - 0.35) ** 2 + 0.14 * u ** 4
    keel = -0.36 + 0.10 * (1 - u) ** 2 + 0.18 * u ** 9
    a = 0.5 * math.pi * t
    out, up = 0.62 + 1.3 * u ** 2, 1.0 - 0.15 * u  # full aft, sharp and flared forward
    return [3.0 * u + 0.45 * bow * t - 1.5, beam * math.sin(a) ** out, keel + (sheer - keel) * (1 - math.cos(a) ** up)]


def hull(stations=72, points=20):
    """A closed boat: vertices and faces with the part of the boat that each belongs to."""
    number, vertices, faces = {}, [], []

    def vertex(p):
        key = tuple(round(x, 9) for x in p)  # the two sides meet in the keel and the stem
        if key not in number:
            number[key] = len(vertices)
            vertices.append(list(key))
        return number[key]

    rings = []
    for i in range(stations + 1):
        side = [section(i / stations, j / points) for j in range(points + 1)]
        edge = side[-1]
        deck = [[edge[0], edge[1] * y, edge[2] + 0.05 * edge[1] * (1 - y * y)] for y in (0.5, 0, -0.5)]
        ring = side + deck + [[p[0], -p[1], p[2]] for p in reversed(side[1:])]
        rings.append([vertex(p) for p in ring])
    around = len(rings[0])
    for a, b in zip(rings, rings[1:]):
        for j in range(around):
            k = (j + 1) % around
            corners = list(dict.fromkeys([a[j], a[k], b[k], b[j]]))
            if len(corners) > 2:
                faces.append((tuple(corners), "deck" if points <= j < points + 4 else "side"))
    faces.append((tuple(reversed(rings[0])), "side"))
    return vertices, faces


def weigh(vertices, faces):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "boat.off"
        path.write_text("OFF\n%d %d 0\n" % (len(vertices), len(faces)) +
                        "".join("%r %r %r\n" % tuple(v) for v in vertices) +
                        "".join(" ".join(map(str, (len(f), *f))) + "\n" for f, _ in faces))
        run = subprocess.run([PLIMSOLL, "mass", path, "--density", str(DENSITY), "--json"], capture_output=True, text=True, check=True)
        return json.loads(run.stdout)


EYE = unit([0.62, -1.0, 0.50])  # towards the viewer
RIGHT = unit(cross([0, 0, 1], EYE))
UP = cross(EYE, RIGHT)
LIGHT = unit([0.25, -0.85, 0.9])


def project(p, center):
    d = sub(p, center)
    return WIDTH * 0.47 + SCALE * dot(d, RIGHT), HEIGHT * 0.52 - SCALE * dot(d, UP)


def shade(normal, color):
    light = 0.58 + 0.5 * max(0.0, dot(normal, LIGHT))
    gloss = 50 * max(0.0, dot(normal, unit(add(LIGHT, EYE)))) ** 30
    return "#%02x%02x%02x" % tuple(min(255, round(c * light + gloss)) for c in color)


def part_above(points, sign):
    """What of a convex polygon lies above the waterline (sign 1) or below it (-1)."""
    kept = []
    for p, q in zip(points, points[1:] + points[:1]):
        hp, hq = sign * (p[2] - WATERLINE), sign * (q[2] - WATERLINE)
        if hp >= 0:
            kept.append(p)
        if hp * hq < 0:
            kept.append(add(p, mul(hp / (hp - hq), sub(q, p))))
    return kept


def painted(points, part):
    if part == "deck":
        return [(points, (240, 205, 155))]
    pieces = [(part_above(points, 1), (62, 104, 158)), (part_above(points, -1), (205, 70, 62))]
    return [(piece, color) for piece, color in pieces if len(piece) > 2]


def on_starboard(x, z):
    """The point of the side at x and z, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        t = 0.5 * (low + high)
        low, high = (t, high) if section((x + 1.5) / 3, t)[2] < z else (low, t)
    p = section((x + 1.5) / 3, low)
    return [p[0], -p[1], p[2]]


def draw(vertices, faces, r):
    center, axes, moments, mass = r["center_of_mass"], r["principal_axes"], r["principal_moments"], r["mass"]
    # A box with edges e has moments m (e_j^2 + e_k^2) / 12.
    half = [0.5 * math.sqrt(6 * (sum(moments) - 2 * m) / mass) for m in moments]
    out = []

    def polygon(points, style):
        out.append('<polygon points="%s" %s/>' % (" ".join("%.1f,%.1f" % q for q in points), style))

    def line(p, q, style):
        (x1, y1), (x2, y2) = project(p, center), project(q, center)
        out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>' % (x1, y1, x2, y2, style))

    corner = lambda signs: add(center, [sum(s * h * a[k] for s, h, a in zip(signs, half, axes)) for k in range(3)])
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    farthest = min(corners, key=lambda c: dot(corner(c), EYE))
    edges = [(a, b) for a in corners for b in corners if a < b and sum(x != y for x, y in zip(a, b)) == 1]

    def box(behind):
        for a, b in edges:
            if (farthest in (a, b)) == behind:
                line(corner(a), corner(b), 'class="%s"' % ("far" if behind else "box"))

    box(behind=True)
    visible = []
    for f, part in faces:
        points = [vertices[i] for i in f]
        normal = [0, 0, 0]
        for b, c in zip(points[1:], points[2:]):
            normal = add(normal, cross(sub(b, points[0]), sub(c, points[0])))
        normal = unit(normal)
        if dot(normal, EYE) > 0:
            depth = sum(dot(p, EYE) for p in points) / len(points)
            visible += [(depth, piece, shade(normal, color)) for piece, color in painted(points, part)]
    for _, points, color in sorted(visible, key=lambda v: v[0]):
        polygon([project(p, center) for p in points], 'fill="%s" stroke="%s"' % (color, color))
    mark = 'style="fill:none;stroke:#fff;stroke-width:2.4"'
    turn = [2 * math.pi * i / 48 for i in range(48)]
    polygon([project(on_starboard(-0.1 + 0.085 * math.cos(a), WATERLINE + 0.085 * math.sin(a)), center) for a in turn], mark)
    line(on_starboard(-0.24, WATERLINE), on_starboard(0.04, WATERLINE), mark)
    box(behind=False)

    colors = ["#d1495b", "#2e8b57", "#e09f1f"]
    for a, h, m, color in zip(axes, half, moments, colors):
        a = mul(math.copysign(1, dot(a, EYE)), a)  # an axis has no sign: let it point towards the viewer
        tip, tail = add(center, mul(h + 0.42, a)), add(center, mul(-h - 0.2, a))
        line(tail, tip, 'stroke="%s" stroke-width="2.6" stroke-linecap="round"' % color)
        (x, y), (x0, y0) = project(tip, center), project(center, center)
        length = math.hypot(x - x0, y - y0)
        dx, dy = (x - x0) / length, (y - y0) / length
        polygon([(x + 11 * dx, y + 11 * dy), (x - 5 * dy, y + 5 * dx), (x + 5 * dy, y - 5 * dx)], 'fill="%s"' % color)
        out.append('<text x="%.1f" y="%.1f" fill="%s">%.4g kg m²</text>' % (
            x + 24 * dx - (108 if dx < -0.3 else 0), y + 24 * dy + 5, color, m))
    x, y = project(center, center)
    out.append('<circle cx="%.1f" cy="%.1f" r="5.5" fill="#fff" stroke="#222" stroke-width="2"/>' % (x, y))
    bound = r["error_bound"]["volume"]
    caption = ["%s triangles" % format(r["input"]["triangles"], ","), "volume %.16g m³" % r["volume"],
               "within %.0e m³, proven" % bound, "%.5g kg of pine" % mass]
    for i, text in enumerate(caption):
        out.append('<text x="24" y="%d" fill="#444">%s</text>' % (HEIGHT - 82 + 21 * i, text))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" '
            'font-size="15">\n<title>A boat with its center of mass, principal axes and equivalent box</title>\n'
            "<style>polygon{stroke-width:.6;stroke-linejoin:round} .box{stroke:#333;stroke-width:1.4} "
            "text{paint-order:stroke;stroke:#fff;stroke-width:3.5px} .far{stroke:#999;stroke-width:1.1;stroke-dasharray:5 4}</style>\n"
            '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n' % (WIDTH, HEIGHT, "\n".join(out)))


vertices, faces = hull()
pathlib.Path(OUT).write_text(draw(vertices, faces, weigh(vertices, faces)))
