"""PTX, the assembly language of graphics cards, run on the CPU: translated to C, made by gcc.

Only what compiled integer code without barriers consists of; any other instruction is an error. So
it is the very code that a card gets which is run here, and only its last step, the one from PTX to
machine code, and the card itself are left out.
"""

import ctypes
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
SPECIAL = {"%tid.x": "tid", "%ntid.x": "ntid", "%ctaid.x": "ctaid", "%nctaid.x": "nctaid"}
FUNCTIONS = {
    "popc": "__builtin_popcountll({0})",
    "clz": "({0} ? __builtin_clzll({0}) - (64 - BITS) : BITS)",
    "brev": "reversed({0}, BITS)",
    "not": "~{0}",
    "neg": "-{0}",
    "abs": "({0} < 0 ? -{0} : {0})",
    "min": "({0} < {1} ? {0} : {1})",
    "max": "({0} > {1} ? {0} : {1})",
    "mad": "({0} * {1} + {2})",
}

HEAD = """
#include <stdint.h>
typedef uint8_t pred;
static uint32_t tid, ntid, ctaid, nctaid;
static uint64_t reversed(uint64_t x, int bits) {
    uint64_t y = 0;
    for (int i = 0; i < bits; i++) y |= (x >> i & 1) << (bits - 1 - i);
    return y;
}
static uint64_t inserted(uint64_t from, uint64_t into, uint32_t at, uint32_t n) {
    uint64_t mask = n > 63 ? ~0ULL : (1ULL << n) - 1;
    return at > 63 ? into : (into & ~(mask << at)) | (from & mask) << at;
}
"""

FUNCTION = re.compile(
    r"\.(?P<kind>func|entry)\s+(?:\(\.param \.b32 \w+\)\s*)?(?P<name>\w+)\s*"
    r"\((?P<parameters>[^)]*)\)(?P<limits>[^{;]*)\{(?P<body>.*?)\n\}",
    re.DOTALL,
)


def c_type(name: str) -> str:
    """`u64` and so on; bits without a sign are unsigned."""
    if name == "pred":
        return name
    return f"{'int' if name[0] == 's' else 'uint'}{name[1:]}_t"


def value(operand: str) -> str:
    """A register, a number or a name as C has it."""
    if operand in SPECIAL:
        return SPECIAL[operand]
    if operand.startswith("%"):
        return operand[1:]
    if re.fullmatch(r"-?\d+", operand):
        return "INT64_MIN" if operand == "-9223372036854775808" else f"{operand}LL"
    if re.fullmatch(r"\w+", operand) and "depot" in operand:
        return f"(uint64_t){operand}"
    raise ValueError(f"operand {operand}")


def place(operand: str) -> str:
    """`[%rd1+8]` as an address, `[name+0]` as a name."""
    found = re.fullmatch(r"\[(%?\w+)(?:\+(-?\d+))?\]", operand)
    assert found is not None, operand
    if found[1].startswith("%"):
        return f"{found[1][1:]} + ({found[2] or 0}LL)"
    assert int(found[2] or 0) == 0, operand
    parameter = re.search(r"_param_(\d+)$", found[1])
    return f"argument{parameter[1]}" if parameter else found[1]


def instruction(text: str) -> str:
    """One instruction in C, its condition left out."""
    code, _, rest = text.partition(" ")
    name, *forms = code.split(".")
    operands = re.findall(r"\[[^\]]*\]|[^\s,]+", rest)
    form = forms[-1] if forms else ""
    if name == "ret":
        return "return func_retval0;"
    if name == "bra":
        return f"goto {operands[0].replace('$', 'L')};"
    kind = c_type(form)
    if name == "ld":
        source = place(operands[1])
        read = source if "param" in forms else f"*({kind} *)({source})"
        return f"{value(operands[0])} = ({kind}){read};"
    if name == "st":
        target = place(operands[0])
        write = target if "param" in forms else f"*({kind} *)({target})"
        return f"{write} = ({kind}){value(operands[1])};"
    to, *sources = [value(operand) for operand in operands]
    if name == "cvt":
        return f"{to} = ({c_type(forms[-2])})({kind}){sources[0]};"
    if name == "mul" and forms[0] == "wide":
        kind = c_type(f"{form[0]}{2 * int(form[1:])}")
        sources = [f"({c_type(form)}){one}" for one in sources]
    return f"{to} = ({kind}){expression(name, forms, [f'({kind}){one}' for one in sources])};"


def expression(name: str, forms: Sequence[str], sources: Sequence[str]) -> str:
    """What an instruction computes from its sources, which have its type already."""
    form = forms[-1]
    bits = "1" if form == "pred" else form[1:]
    if name in ("mov", "cvta"):
        return sources[0]
    if name == "setp":
        return f"({sources[0]} {COMPARISONS[forms[0]]} {sources[1]})"
    if name == "selp":
        condition = sources[2].rpartition(")")[2]
        return f"({condition} ? {sources[0]} : {sources[1]})"
    if name in ("shl", "shr"):
        # A count from the number of bits on gives nothing, or only the sign.
        count = f"(uint32_t){sources[1].rpartition(')')[2]}"
        far = f"({sources[0]} >> {int(bits) - 1})" if form[0] == "s" else "0"
        symbol = "<<" if name == "shl" else ">>"
        return f"({count} < {bits} ? {sources[0]} {symbol} ({count}) : {far})"
    if name == "bfi":
        return f"inserted({', '.join(sources)})"
    if name == "not" and form == "pred":
        return f"!{sources[0]}"
    if name == "mul" and forms[0] == "hi":
        wide = "__int128" if form[0] == "s" else "unsigned __int128"
        return f"(({wide}){sources[0]} * {sources[1]} >> {bits})"
    if name in OPERATORS:
        return f"({sources[0]} {OPERATORS[name]} {sources[1]})"
    return FUNCTIONS[name].format(*sources).replace("BITS", bits)


def statements(body: str) -> Iterator[str]:
    """The statements of a function in C."""
    body = re.sub(r"//[^\n]*", "", body)
    for text in re.findall(r"\$?\w+:|[{}]|[^;:{}]+;", body):
        text = " ".join(text.rstrip(";").split())
        if text in "{}":
            yield text
        elif not text or text.startswith(".pragma"):
            continue
        elif text.endswith(":"):
            yield f"{text.replace('$', 'L')};"
        elif found := re.fullmatch(r"\.reg \.(\w+) %(\w+)<(\d+)>", text):
            names = ", ".join(f"{found[2]}{k} = 0" for k in range(int(found[3])))
            yield f"{c_type(found[1])} {names};"
        elif found := re.fullmatch(r"\.(?:reg|param) \.(\w+) %?(\w+)", text):
            yield f"{c_type(found[1])} {found[2]} = 0;"
        elif found := re.fullmatch(r"\.local \.align \d+ \.b8 (\w+)\[(\d+)\]", text):
            yield f"uint8_t {found[1]}[{found[2]}] __attribute__((aligned(16)));"
        elif found := re.fullmatch(r"call\.uni \((\w+)\), (\w+), \((.*)\)", text):
            yield f"{found[1]} = {found[2]}({found[3]});"
        elif found := re.fullmatch(r"@(!?)%(\w+) (.*)", text):
            yield f"if ({found[1]}{found[2]}) {instruction(found[3])}"
        else:
            yield instruction(text)


def to_c(ptx: str) -> tuple[str, int]:
    """(C source with a function `launch(blocks, threads, arguments)`, number of arguments)."""
    heads, bodies = [], []
    entry, count = "", 0
    for found in FUNCTION.finditer(ptx):
        sizes = re.findall(r"\.param \.(\w+)", found["parameters"])
        parameters = ", ".join(f"{c_type(size)} argument{k}" for k, size in enumerate(sizes))
        head = f"static uint32_t {found['name']}({parameters or 'void'})"
        heads.append(f"{head};")
        code = "\n".join(statements(found["body"]))
        bodies.append(f"{head} {{\nuint32_t func_retval0 = 0;\n{code}\n}}")
        if found["kind"] == "entry":
            entry, count = found["name"], len(sizes)
    values = ", ".join(f"arguments[{k}]" for k in range(count))
    launch = (
        "void launch(uint32_t blocks, uint32_t threads, uint64_t *arguments) {\n"
        "nctaid = blocks; ntid = threads;\n"
        "for (ctaid = 0; ctaid < blocks; ctaid++)\n"
        f"for (tid = 0; tid < threads; tid++) {entry}({values});\n}}"
    )
    return "\n".join((HEAD, *heads, *bodies, launch)), count


class PtxKernel:
    """A kernel, ready to run on the CPU."""

    def __init__(self, ptx: str, folder: Path, name: str) -> None:
        source, self._count = to_c(ptx)
        file = folder / f"{name}.c"
        file.write_text(source)
        library = file.with_suffix(".so")
        flags = ["-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, str(file), "-o", str(library)], check=True)
        self._launch = ctypes.CDLL(str(library)).launch

    def __call__(self, blocks: int, threads: int, arguments: Sequence[int]) -> None:
        """Run all threads, one after the other. The arguments are numbers and addresses."""
        assert len(arguments) == self._count
        words = (ctypes.c_uint64 * self._count)(*(a & (1 << 64) - 1 for a in arguments))
        self._launch(ctypes.c_uint32(blocks), ctypes.c_uint32(threads), words)
