"""Reads the lists of faults beside this file and puts them as switches into a copy of the sources.

A list names a source file at the beginning of a line, and below it, indented by two, the faults in
it, one a line, as `git diff --word-diff` would show them:

    src/hydro/clip_plane.h
      plane.nearness = [-0x1p-47-]{+0x1p-53+} * frame.reach;
        equivalent: a reason why no test can notice

What stands outside [-...-]{+...+} only finds the place: the whole has to occur once in the file,
any space of it meaning any white space. What is replaced is a complete expression, or a complete
statement with its semicolon. A note indented by four explains why the fault is not noticed:
`equivalent:` where the results are the same, `unnoticed:` where they are not. Lines that begin with
# are comments.
"""
import dataclasses
import pathlib
import re
import zlib

FOLDER = pathlib.Path(__file__).parent
FAULT = re.compile(r"(.*?)\[-(.+?)-\]\{\+(.*?)\+\}(.*)")
# Begins or ends with an operator of two sides: a piece of an expression.
PIECE = re.compile(r"([<>=/%|,.)\]}?:^]|&&|\+(?!\+)).*|.*([-*/%<=&|,(\[{?:.!]|(?<!\+)\+)", re.DOTALL)
NOTE = re.compile(r"(equivalent|unnoticed): .{10,}")
SWITCH = "::plimsoll::mutants::mutant"


class ListError(Exception):
    """What is wrong in a list, and where."""


@dataclasses.dataclass
class Fault:
    place: str  # of the entry: list and line
    file: str
    text: str
    before: str
    old: str
    new: str
    after: str
    note: str = ""  # "equivalent" or "unnoticed"
    reason: str = ""
    line: int = 0  # in the file
    begin: int = 0
    end: int = 0

    @property
    def number(self):
        return zlib.crc32(f"{self.file}: {self.text}".encode()) % (1 << 22)  # kMost in mutant.h

    @property
    def module(self):
        return self.file.split("/")[1]

    @property
    def where(self):
        return f"{self.file}:{self.line}: {self.text}"


def read_list(path):
    faults, file = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place, text = f"{path.name}:{number}", line.strip()
        indent = len(line) - len(line.lstrip())
        if not text or text.startswith("#"):
            continue
        if indent == 0:
            file = text
        elif indent == 2 and file and (parts := FAULT.fullmatch(text)):
            faults.append(Fault(place, file, text, *parts.groups()))
            check_whole(faults[-1])
        elif indent == 4 and faults and NOTE.fullmatch(text):
            faults[-1].note, faults[-1].reason = text.split(": ", 1)
        else:
            raise ListError(f"{place}: found {text!r}, expected a file, a fault [-old-]{{+new+}} "
                            "indented by two, or a note indented by four")
    return faults


def check_whole(fault):
    """Refuses what would not build, or would mean something else between parentheses, where that is plain."""
    outside = fault.old
    while (inner := re.sub(r"\([^()]*\)", "", outside)) != outside:
        outside = inner
    if re.search(r"[\w)\]]\s+-\s*$", fault.before) and re.search(r"\s[-+]\s", outside):
        raise ListError(f"{fault.place}: found {fault.old!r} after a minus, whose signs would change")
    for side in (fault.old.strip(), fault.new.strip()):
        goes_on = re.match(r"-[^-]", side) and re.search(r"(?<!return)[\w)\]]\s*$", fault.before)
        if goes_on or PIECE.fullmatch(side):
            raise ListError(f"{fault.place}: found {side!r}, expected a complete expression or "
                            "statement")


def pattern(text):
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", text))


def locate(fault, source):
    """Finds what the fault replaces; a list that no longer fits the sources is refused."""
    found = list(re.finditer(f"{pattern(fault.before)}({pattern(fault.old)}){pattern(fault.after)}",
                             source))
    if len(found) != 1:
        raise ListError(f"{fault.place}: found {len(found)} places in {fault.file}, expected one: "
                        f"{fault.text}")
    fault.begin, fault.end = found[0].span(1)
    fault.line = source.count("\n", 0, fault.begin) + 1
    widen_to_literal(fault, source)


def widen_to_literal(fault, source):
    """A fault in a raw string, as shaders are, replaces all of the string."""
    for literal in re.finditer(r'R"\((.*?)\)"', source, re.DOTALL):
        if literal.start() <= fault.begin and fault.end <= literal.end():
            fault.new = source[literal.start():fault.begin] + fault.new + source[
                fault.end:literal.end()]
            fault.begin, fault.end = literal.span()


def homes(root):
    """{name of a list: the folder whose files it has}"""
    lines = (root / "src/modules.txt").read_text().splitlines()
    modules = [line.split(":")[0] for line in lines if line and line[0] != "#"]
    return {**{name: f"src/{name}/" for name in modules}, "cli": "apps/cli/", "bench": "bench/shared/"}


def read_faults(root):
    """All faults, each with its place in the sources below `root`."""
    home = homes(root)
    faults = [fault for path in sorted(FOLDER.glob("*.txt")) for fault in read_list(path)]
    numbers = {}
    for fault in faults:
        name = fault.place.split(".")[0]
        if not fault.file.startswith(home.get(name, " ")):
            raise ListError(f"{fault.place}: found {fault.file}, expected a file of "
                            f"{home.get(name, 'a folder that src/modules.txt names')}")
        if not (root / fault.file).is_file():
            raise ListError(f"{fault.place}: there is no file {fault.file}")
        locate(fault, (root / fault.file).read_text())
        other = numbers.setdefault(fault.number, fault)
        if other is not fault:
            raise ListError(f"{fault.place}: the same number as {other.place}; is it the same "
                            "fault? Else give one of them more or less context")
    return faults


def choice(faults, original, is_wide):
    """A run-time choice between an expression or statement and what the faults make of it."""
    if original.endswith((";", "}")) and not original.startswith('R"'):
        branches = [f"if ({SWITCH}({fault.number})) {{ {fault.new} }} else " for fault in faults]
        return "".join(branches) + f"{{ {original} }}"
    # Vectors of Highway may not pass through a function of another instruction set.
    value = "" if is_wide else "::plimsoll::mutants::value"
    branches = [f"{SWITCH}({fault.number}) ? {value}({fault.new}) : " for fault in faults]
    return f"({''.join(branches)}{value}({original}))"


def start_of_declaration(source, begin):
    """Where the declaration begins that `begin` lies in, braces of its value passed over."""
    depth = 0
    for at in range(begin - 1, -1, -1):
        if source[at] == "}":
            if depth == 0 and source[at + 1:].lstrip()[:1] not in (",", "}", ")"):
                return at + 1  # of a block
            depth += 1
        elif source[at] == "{" and depth > 0:
            depth -= 1
        elif source[at] == "{" and not re.search(r"[={,(]\s*$|\w$", source[max(0, at - 200):at]):
            return at + 1
        elif source[at] == ";" and depth == 0:
            return at + 1
    return 0


def edits_of_constant(source, begin):
    """{place: text} that make the declaration around `begin` one that is computed at run time."""
    start = start_of_declaration(source, begin)
    keyword = re.compile(r"(static )?(?<!if )\bconstexpr\b( const\b)?")
    return {(start + found.start(), start + found.end()):
            "static inline const" if found[1] else "const"
            for found in keyword.finditer(source[start:begin])}


def instrument(source, faults):
    """The text of a file with all its faults as switches. Places may lie in one another."""
    is_wide = "hn::" in source or "PLIMSOLL_KERNEL" in source
    by_place = {}
    for fault in faults:
        by_place.setdefault((fault.begin, fault.end), []).append(fault)
    inner_first = sorted(by_place, key=lambda place: (place[1] - place[0], place))
    texts = {}  # of places that have been rewritten and lie in no other yet

    def rewritten(begin, end):
        pieces, at = [], begin
        for inner in sorted(place for place in texts if begin <= place[0] and place[1] <= end):
            pieces += [source[at:inner[0]], texts.pop(inner)]
            at = inner[1]
        return "".join(pieces) + source[at:end]

    for begin, end in inner_first:
        crossing = [other for other in texts
                    if max(begin, other[0]) < min(end, other[1])
                    and not (begin <= other[0] and other[1] <= end)]
        if crossing:
            raise ListError(f"{by_place[begin, end][0].place}: it overlaps with another fault")
        texts[begin, end] = choice(by_place[begin, end], rewritten(begin, end), is_wide)
    edits = dict(texts)
    for begin, _ in texts:
        edits.update(edits_of_constant(source, begin))
    for begin, end in sorted(edits, reverse=True):
        source = source[:begin] + edits[begin, end] + source[end:]
    return source


def with_switches(source):
    """The text of a file that may use switches, or include texts that do."""
    return '#include <mutant.h>\n#line 1\n' + source
