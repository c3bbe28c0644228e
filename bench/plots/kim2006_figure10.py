#!/usr/bin/env python3
"""Makes a PNG of the picture that the benchmark program figure10 prints.

  build/bench/bench/figure10 | bench/plots/kim2006_figure10.py docs/images/kim2006_figure10.png
"""
import struct, sys, zlib

data = sys.stdin.buffer.read()
kind, size, most, pixels = data.split(b"\n", 3)
assert kind == b"P6" and most == b"255", "expected a binary PPM with a byte per channel"
width, height = map(int, size.split())
rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
               chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
