"""The one place that says how Numba is called.

Compiled code is kept in the folder that `cache` chooses. Numba reads its name when a function is
decorated, so it is enough that every function is decorated by this module.

Three ways to compile a function:

    @kernel("int64(int64, ...)")   an entry point: compiled or loaded from the disk cache when
                                   its module is imported, so nothing compiles later
    @inline                        always merged into its callers
    @helper                        compiled once for its callers, which keep it in their cache
"""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
from numba.core.typeinfer import CallConstraint, TypeInferer, fold_arg_vars, register_dispatcher

from engine.cache import CACHED, FOLDER

F = TypeVar("F", bound=Callable[..., Any])

if CACHED:
    numba.config.CACHE_DIR = str(FOLDER)

OPTIONS: dict[str, Any] = {
    "boundscheck": False,
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
}

INNER = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""For functions that only compiled code calls."""

# Numba spends its time on inferring types, most of it on questions it has answered before. The
# three changes below make a cold start of the chess search ten times as fast and alter no code
# that comes out. If a version of Numba has other insides, they do nothing or fail at import.

_resolve_call = CallConstraint.resolve
_infer_return = TypeInferer.return_types_from_partial


def _resolve_once(call: Any, inferer: Any, typevars: Any, fnty: Any) -> None:
    """Type a call, unless it was typed before with the same argument types.

    Inference goes over the whole function until nothing changes any more, and would look up
    each call again in every round.
    """
    arguments = fold_arg_vars(typevars, call.args, call.vararg, call.kws)
    question = arguments and (fnty, arguments[0], tuple(arguments[1].items()))
    if question and call.signature is not None and getattr(call, "answered", None) == question:
        return
    _resolve_call(call, inferer, typevars, fnty)
    call.answered = question


def _declared_return(inferer: Any) -> Any:
    """Return type of a function that calls itself.

    Numba infers it anew, from the whole body, at every recursive call. Our signatures declare it.
    """
    returns = [inferer.typevars[var.name] for var in inferer._get_return_vars()]
    declared = {variable.getone() for variable in returns if variable.locked}
    return declared.pop() if len(declared) == 1 else _infer_return(inferer)


CallConstraint.resolve = _resolve_once
TypeInferer.return_types_from_partial = _declared_return


def _one_version(dispatcher: Any) -> Any:
    """Compile a function once, not anew for each constant that some caller passes."""
    unliteral = numba.types.unliteral

    def plain(asked: Callable[..., Any]) -> Callable[..., Any]:
        def without_constants(args: Any, kws: Any) -> Any:
            names = {name: unliteral(value) for name, value in kws.items()}
            return asked(tuple(unliteral(value) for value in args), names)

        return without_constants

    dispatcher.get_call_template = plain(dispatcher.get_call_template)
    dispatcher.fold_argument_types = plain(dispatcher.fold_argument_types)
    return dispatcher


only: set[str] = set()
"""In a process that compiles for others: the modules whose kernels it compiles. A kernel needs no
more of another than its name and signature, so they can be compiled in any order, side by side."""

seconds: dict[str, float] = {}
"""Seconds that each kernel took to compile or load, in the order of import."""


class Kernel:
    """A compiled entry point. Called from Python it is the function; called from compiled code it
    is a symbol, looked up by name, so that nothing of it is compiled again into its callers."""

    def __init__(
        self, name: str, function: Callable[..., Any], signature: Any, dispatcher: Any = None
    ) -> None:
        self.function = function
        self.signature = signature
        self.dispatcher = dispatcher
        address = 1  # Someone else compiles it; nothing of this process will be run.
        if dispatcher is not None:
            compiled = dispatcher.overloads[signature.args]
            wrapper = compiled.fndesc.llvm_cfunc_wrapper_name
            address = compiled.library.get_pointer_to_function(wrapper)
        symbol = f"triptych.{name}"
        llvm.add_symbol(symbol, address)
        self._numba_type_ = numba.types.ExternalFunction(symbol, signature)

    def __call__(self, *args: Any) -> Any:
        return self.dispatcher(*args)


def _compile(function: Callable[..., Any], signature: Any) -> Any:
    dispatcher = _one_version(numba.njit(cache=CACHED, **OPTIONS)(function))
    with register_dispatcher(dispatcher):
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def kernel(signature: Any) -> Callable[[F], F]:
    """An entry point with an explicit signature, ready to call once its module is imported."""

    def compile_now(function: F) -> F:
        start = time.perf_counter()
        name = f"{function.__module__.removeprefix('engine.')}.{function.__name__}"
        if only and function.__module__ not in only:
            return Kernel(name, function, signature)  # type: ignore[return-value]
        try:
            dispatcher = _compile(function, signature)
        except Exception:
            # A file in the cache may be damaged. If that was not it, the second try fails as well.
            module = function.__module__.rpartition(".")[2]
            for path in FOLDER.rglob(f"{module}.{function.__name__}-*"):
                path.unlink(missing_ok=True)
            dispatcher = _compile(function, signature)
        ready = Kernel(name, function, signature, dispatcher)
        seconds[name] = time.perf_counter() - start
        return ready  # type: ignore[return-value]

    return compile_now


def inline(function: F) -> F:
    """A function merged into each caller by the optimiser."""
    return _one_version(numba.njit(forceinline=True, **INNER)(function))


def helper(function: F) -> F:
    """A function compiled when its first caller is."""
    return _one_version(numba.njit(**INNER)(function))
