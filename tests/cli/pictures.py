"""Reads the pictures that the program writes."""
import itertools
import struct
import zlib


def averaged(stored, above):
    """A channel of a row, each byte of which is stored as what it differs from the mean of left and above."""
    left, row = 0, []
    for x, up in zip(stored, above):
        left = x + (left + up) // 2 & 255
        row.append(left)
    return bytes(row)


def nearest(stored, above):
    """A channel of a row, each byte of which is stored as what it differs from the nearest to
    left + above - both of left, above and both."""
    left, both, row = 0, 0, []
    for x, up in zip(stored, above):
        if left == both:  # then above is the nearest, as left is where above is both: most of a picture
            near = up
        elif up == both:
            near = left
        else:
            to_left, to_up, to_both = abs(up - both), abs(left - both), abs(left + up - 2 * both)
            near = left if to_left <= to_up and to_left <= to_both else up if to_up <= to_both else both
        left, both = x + near & 255, up
        row.append(left)
    return bytes(row)


def unfiltered(how, line, above):
    """A row of bytes from what PNG stores of it, and the row above."""
    if how == 0:
        return bytes(line)
    if how == 2:
        return bytes(x + up & 255 for x, up in zip(line, above)) if any(line) else above
    if how == 4 and not any(line):
        return above
    for k in range(3):
        if how == 1:
            line[k::3] = bytes(x & 255 for x in itertools.accumulate(line[k::3]))
        else:
            line[k::3] = (averaged if how == 3 else nearest)(line[k::3], above[k::3])
    return bytes(line)


def png(path):
    """(width, height, rows of (red, green, blue)) of an 8 bit RGB file without interlacing."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    assert kind == b"IEND" and header[2:] == (8, 2, 0, 0, 0), header
    width, height = header[:2]
    raw, stride = zlib.decompress(packed), 3 * width
    rows, above = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above)
        rows.append(list(zip(above[0::3], above[1::3], above[2::3])))
    return width, height, rows


def mean_difference(rows, others):
    """Of the colors of two pictures of one size, of 255."""
    return sum(abs(x - y) for row, beside in zip(rows, others) if row != beside
               for p, q in zip(row, beside) if p != q for x, y in zip(p, q)) / (3 * len(rows) * len(rows[0]))


# Of a picture drawn again. On one machine there is none; borders that another C library or driver
# moves are few of the pixels.
ALIKE = 0.05


def is_strong(pixel):
    """Whether it is of the red of what a picture is about, in light or a little shade."""
    red, green, blue = pixel
    return red > 100 and 4 * max(green, blue) < red


def is_pale(pixel):
    """Whether it is of a body through which that red is seen."""
    red, green, blue = pixel
    return red > 100 and 1.5 * max(green, blue) < red < 4 * max(green, blue)


def is_ghost(pixel):
    """Whether it is of the first body, which is tan, with the second, green, seen through it."""
    red, green, blue = pixel
    return red > 100 and 0.88 * red < green < red and blue < 0.78 * red


def places(rows, is_wanted):
    """(x, y) of the pixels that are wanted."""
    wanted = {pixel for pixel in set().union(*rows) if is_wanted(pixel)}
    return [(x, y) for y, row in enumerate(rows) if not wanted.isdisjoint(row)
            for x, pixel in enumerate(row) if pixel in wanted]
