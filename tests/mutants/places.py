"""Finds every place in the sources where a fault of a known kind can be put, and draws from them.

Clang reads each source as the compiler would, so that what a fault replaces is a complete expression
or statement. Kinds: a comparison turned or made strict or not, + and - exchanged, * and /, && and ||,
min and max, a constant doubled or halved, an axis or index exchanged, two arguments of one type
exchanged, a condition made true or false, a statement left out, a return before its time.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

from instrument import Fault, ListError, locate, read_faults

try:
    from clang import cindex
except ImportError:  # another Python than the one that Debian's packages are for
    sys.path.append("/usr/lib/python3/dist-packages")
    try:
        from clang import cindex
    except ImportError:
        sys.exit("mutants: --random needs the package python3-clang-19; scripts/setup ci installs it")

K = cindex.CursorKind
OPERATORS = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "&&": ["||"], "||": ["&&"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
}
EXTREMA = {"min": "max", "max": "min", "Min": "Max", "Max": "Min", "cwiseMin": "cwiseMax",
           "cwiseMax": "cwiseMin", "minCoeff": "maxCoeff", "maxCoeff": "minCoeff"}
SYMMETRIC = {*EXTREMA, "dot", "hypot", "swap", "squared_distance"}
NEXT_AXIS = {"x": "y", "y": "z", "z": "x"}
NUMBER = re.compile(r"(0[xX][0-9a-fA-F'.]+(p[-+]?\d+)?|[\d'.]+(e[-+]?\d+)?)(f|u|U|l|L|ul|UL|z|uz)*")


class Source:
    """A source as bytes, since Clang counts these."""

    def __init__(self, path):
        self.bytes = path.read_bytes()

    def text(self, begin, end):
        return self.bytes[begin:end].decode()


def squeezed(text):
    """Without comments, on one line."""
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


class Walk:
    """Collects (file, begin, end, new text) of one translation unit, in bytes."""

    def __init__(self, root, done):
        self.root, self.done, self.sources, self.found = str(root) + "/", done, {}, set()

    def name_of(self, cursor):
        file = cursor.location.file
        path = os.path.normpath(file.name) if file else ""
        name = path.removeprefix(self.root)
        return name if path.startswith(self.root + "src/") and name not in self.done else None

    def unit(self, cursor):
        """Also of a namespace: a text may be included inside."""
        for child in cursor.get_children():
            name = self.name_of(child)
            if name is not None and child.kind == K.NAMESPACE:
                self.unit(child)
            elif name is not None:
                self.file = name
                self.source = self.sources.setdefault(name, Source(pathlib.Path(self.root + name)))
                self.visit(child, None)

    def extent(self, cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def text(self, cursor):
        return self.source.text(*self.extent(cursor))

    def add(self, begin, end, new):
        if squeezed(self.source.text(begin, end)) != squeezed(new):
            self.found.add((self.file, begin, end, squeezed(new)))

    def visit(self, cursor, parent):
        kind = cursor.kind
        children = list(cursor.get_children())
        if kind in (K.STATIC_ASSERT, K.ENUM_DECL, K.DECL_REF_EXPR, K.TYPE_REF, K.TEMPLATE_REF,
                    K.TEMPLATE_NON_TYPE_PARAMETER, K.TEMPLATE_TYPE_PARAMETER, K.TYPE_ALIAS_DECL):
            return
        if kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            self.binary(cursor, children)
        elif kind == K.CALL_EXPR:
            self.call(cursor, children)
        elif kind == K.ARRAY_SUBSCRIPT_EXPR and len(children) == 2:
            self.index(cursor, children[1])
        elif kind in (K.INTEGER_LITERAL, K.FLOATING_LITERAL):
            self.literal(cursor)
        elif kind == K.IF_STMT and not re.match(r"if constexpr", self.text(cursor)):
            self.condition(children[0], ["true", "false"])
        elif kind == K.WHILE_STMT:
            self.condition(children[0], ["false"])
        elif kind == K.CONDITIONAL_OPERATOR:
            self.condition(children[0], ["true", "false"])
        if kind == K.COMPOUND_STMT:
            self.statements(children)
            if parent is not None and parent.kind in (K.FUNCTION_DECL, K.CXX_METHOD, K.FUNCTION_TEMPLATE,
                                                      K.CONSTRUCTOR):
                self.early_returns(parent, children)
        elif kind in (K.IF_STMT, K.FOR_STMT, K.WHILE_STMT, K.CXX_FOR_RANGE_STMT):
            self.statements(children[1:] if kind == K.IF_STMT else children[-1:])
        if kind == K.CASE_STMT:
            children = children[1:]
        for child in children:
            at = child.extent.start.offset
            # The parameters of a type are constants: in a declaration they stand before the name,
            # in the name of a member after it.
            if kind.is_declaration() and kind in (K.VAR_DECL, K.FIELD_DECL) and at < cursor.location.offset:
                continue
            if kind == K.MEMBER_REF_EXPR and at >= cursor.location.offset:
                continue
            self.visit(child, cursor)

    def binary(self, cursor, children):
        if len(children) == 2:
            self.exchange(cursor, self.extent(children[0])[1], self.extent(children[1])[0])

    def exchange(self, cursor, after, before):
        """The operator is what stands between `after` and `before`."""
        begin, end = self.extent(cursor)
        operator = self.source.text(after, before).strip()
        for new in OPERATORS.get(operator, []):
            at = after + self.source.bytes[after:before].index(operator.encode())
            text = self.source.text(begin, at) + new + self.source.text(at + len(operator), end)
            if operator.endswith("="):  # it may be a statement, whose value nobody asks for
                text = f"({text})"
            self.add(begin, end, text)

    def call(self, cursor, children):
        begin, end = self.extent(cursor)
        whole = self.source.text(begin, end)
        if cursor.spelling.startswith("operator") or len(children) == 3:
            parts = sorted(children, key=self.extent)
            if len(parts) == 3 and self.text(parts[1]).strip() in OPERATORS:
                return self.exchange(cursor, self.extent(parts[0])[1], self.extent(parts[2])[0])
            if cursor.spelling == "operator[]" and len(parts) == 3:
                self.index(cursor, parts[2] if self.text(parts[1]).startswith("[") else parts[1])
        if found := re.search(r"(\.|->)([xyz])\(\)$", whole):
            self.add(begin, end, whole[:found.start(2)] + NEXT_AXIS[found[2]] + "()")
        arguments = list(cursor.get_arguments())
        if not arguments:
            return
        first = self.extent(arguments[0])[0]
        if not begin < first <= end:
            return
        if found := re.search(r"(?:^|[.:>])(min|max|Min|Max|cwiseMin|cwiseMax|minCoeff|maxCoeff)(<[^()]*>)?\($",
                              self.source.text(begin, first).rstrip()):
            head = self.source.text(begin, first)
            self.add(begin, end, head[:found.start(1)] + EXTREMA[found[1]] + head[found.end(1):] +
                     self.source.text(first, end))
        pairs = [] if cursor.spelling in SYMMETRIC else zip(arguments, arguments[1:])
        for left, right in pairs:
            (a, b), (c, d) = self.extent(left), self.extent(right)
            types = [left.type.get_canonical().spelling, right.type.get_canonical().spelling]
            bare = [re.sub(r"^const | ?&+$", "", spelled) for spelled in types]
            if bare[0] and bare[0] == bare[1] and begin < a < b <= c < d <= end:
                text = self.source.text
                self.add(begin, end, text(begin, a) + text(c, d) + text(b, c) + text(a, b) + text(d, end))

    def index(self, cursor, index):
        begin, end = self.extent(cursor)
        a, b = self.extent(index)
        if not begin < a < b <= end:
            return
        old = self.source.text(a, b)
        new = str((int(old) + 1) % 3) if old in ("0", "1", "2") else f"{old} + 1"
        self.add(begin, end, self.source.text(begin, a) + new + self.source.text(b, end))

    def literal(self, cursor):
        begin, end = self.extent(cursor)
        text = self.source.text(begin, end)
        if not NUMBER.fullmatch(text) or not text.strip("0x.'"):
            return
        is_parameter = (self.source.text(begin - 1, begin) == "<"  # of a template
                        or self.source.text(end, end + 1) == ">"
                        or re.search(r"\w+<[^<>();]*, $", self.source.text(max(0, begin - 60), begin)))
        if not is_parameter:
            self.add(begin, end, f"(2 * {text})")
            self.add(begin, end, f"({text} / 2)")

    def condition(self, cursor, values):
        if cursor.kind.is_expression():
            begin, end = self.extent(cursor)
            for value in values:
                self.add(begin, end, value)

    def statements(self, cursors):
        for cursor in cursors:
            if cursor.kind.is_expression() or cursor.kind in (K.BREAK_STMT, K.CONTINUE_STMT):
                place = self.whole(cursor)
                if place:
                    self.add(*place, ";")

    def whole(self, cursor):
        """The place of a statement with its semicolon."""
        begin, end = self.extent(cursor)
        after = re.match(rb"\s*;", self.source.bytes[end:end + 20])
        return (begin, end + after.end()) if after and begin < end else None

    def early_returns(self, function, statements):
        returns_nothing = function.kind == K.CONSTRUCTOR or function.result_type.spelling == "void"
        for cursor in statements[1:] if returns_nothing else statements:
            if cursor.kind == K.DECL_STMT or cursor.kind == K.RETURN_STMT:
                continue
            begin, end = self.extent(cursor)
            if not self.source.text(begin, end).endswith("}"):
                place = self.whole(cursor)
                if not place:
                    continue
                begin, end = place
            self.add(begin, end, "return;" if returns_nothing else "return {};")


def commands(root, folder):
    """{source below src: what the compiler is told}, from a configuration of its own"""
    subprocess.run(["cmake", "-G", "Ninja", "-S", root, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DPLIMSOLL_PRECOMPILED=OFF",
                    "-DPLIMSOLL_BUILD_TESTS=OFF", "-DPLIMSOLL_BUILD_VIEWER=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    told = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        kept = [word for word in words if re.match(r"-[DIi]|-std|-isystem|-m", word)]
        for flag, value in zip(words, words[1:]):
            if flag == "-isystem":
                kept[kept.index(flag)] = "-isystem" + value
        if entry["file"].startswith(f"{root}/src/"):
            told[entry["file"]] = [word for word in kept if word != "-isystem"]
    return told


def read_units(root, units, told):
    """{source: its places}. A header is looked at once."""
    index, found = cindex.Index.create(), {}
    for unit in units:
        parsed = index.parse(unit, told[unit])
        wrong = [d for d in parsed.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if wrong:
            sys.exit(f"mutants: Clang does not understand {unit}: {wrong[0]}")
        walk = Walk(root, found)
        walk.unit(parsed.cursor)
        for file in walk.sources:
            found[file] = sorted(place[1:] for place in walk.found if place[0] == file)
    return found


def all_places(root, work, jobs):
    """Sorted (file, begin, end, new text). Sources that have not changed since the last time are not
    read again; to read all of them takes some minutes."""
    digests = {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
               for path in sorted(root.glob("src/**/*")) if path.suffix in (".h", ".cpp", ".inc")}
    store = work / "places.json"
    known = json.loads(store.read_text()) if store.is_file() else {}
    known = {file: entry for file, entry in known.items() if digests.get(file) == entry[0]}
    missing = [file for file in digests if file not in known]
    if missing:
        told = commands(root, work / "commands")
        units = [unit for unit in sorted(told) if unit.removeprefix(f"{root}/") in missing]
        headers = [file for file in missing if f"{root}/{file}" not in told]
        for these in (units, [unit for unit in sorted(told) if unit not in units] if headers else []):
            with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
                parts = [*pool.map(read_units, [root] * jobs, [these[k::jobs] for k in range(jobs)],
                                   [told] * jobs)]
            for part in parts:
                for file, places in part.items():
                    known[file] = [digests[file], places]
            if all(file in known for file in headers):
                break
        for file in missing:
            known.setdefault(file, [digests[file], []])
        store.write_text(json.dumps(known))
    return [(file, *place) for file in sorted(known) for place in known[file][1]]


def fault_at(root, place, texts):
    """As a line of a list, with as much before and behind as finds it."""
    file, begin, end, new = place
    source = texts.setdefault(file, (root / file).read_text())
    raw = source.encode()
    begin, end = len(raw[:begin].decode()), len(raw[:end].decode())
    line = source.count("\n", 0, begin) + 1
    before = [*re.finditer(r"\S+\s*|^\s+", source[source.rfind("\n", 0, max(0, begin - 200)) + 1:begin])]
    after = [*re.finditer(r"\s*\S+", source[end:end + 300])]
    for words in range(40):
        head = "".join(found[0] for found in before[len(before) - words:])
        tail = "".join(found[0] for found in after[:words])
        parts = [" ".join(re.split(r"\s+", part)) for part in (head, source[begin:end], tail)]
        parts[0], parts[2] = parts[0].lstrip(), parts[2].rstrip()
        text = f"{parts[0]}[-{parts[1]}-]{{+{new}+}}{parts[2]}"
        fault = Fault("drawn", file, text, parts[0], parts[1], new, parts[2])
        try:
            locate(fault, source)
        except ListError:
            continue
        if (fault.begin, fault.end) == (begin, end):
            fault.line = line
            return fault
    return None


def draw(root, work, count, seeds, jobs):
    """{seed: `count` faults in the order in which they were drawn}: first a line, each as likely as any
    other that has a place, then a fault on it. Those that a list notes have the note. A place that overlaps one
    of an earlier fault, but neither holds it nor lies in it, is passed over: they cannot share a build."""
    places, texts = all_places(root, work, jobs), {}
    by_line = {}
    for place in places:
        source = texts.setdefault(place[0], (root / place[0]).read_text())
        line = source.encode()[:place[1]].count(b"\n")
        by_line.setdefault((place[0], line), []).append(place)
    noted = {(f.file, f.begin, f.end, squeezed(f.new)): f for f in read_faults(root) if f.note}
    drawn, known = {}, {}
    for seed in seeds:
        lines = sorted(by_line)
        generator = random.Random(seed)
        generator.shuffle(lines)
        faults = drawn[seed] = {}
        for line in lines:
            fault = fault_at(root, generator.choice(by_line[line]), texts)
            if fault is None or fault.number in faults or crosses(fault, known.values()):
                continue
            if other := noted.get((fault.file, fault.begin, fault.end, squeezed(fault.new))):
                fault.note, fault.reason = other.note, other.reason
            faults[fault.number] = known.setdefault(fault.number, fault)
            if len(faults) == count:
                break
    return {seed: [*faults.values()] for seed, faults in drawn.items()}, len(by_line), len(places)


def crosses(fault, others):
    """Whether it shares a part of its place with another, and neither lies in the other."""
    return any(other.file == fault.file and max(fault.begin, other.begin) < min(fault.end, other.end)
               and not (other.begin <= fault.begin and fault.end <= other.end)
               and not (fault.begin <= other.begin and other.end <= fault.end) for other in others)
