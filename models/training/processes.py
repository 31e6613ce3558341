"""Training in several processes, started by ``torchrun --nproc_per_node N -m models.training …``.

Without torchrun there is one process, and everything here is free. Only the first writes files or
talks; all see the same data and draw the same random numbers, and share out the work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import Tensor


class DeviceError(Exception):
    """A device that was asked for and is not there."""


@dataclass(frozen=True, slots=True)
class Processes:
    """rank: this process, from 0. count: how many there are. device: where this one computes."""

    rank: int = 0
    count: int = 1
    device: torch.device = torch.device("cpu")

    @property
    def first(self) -> bool:
        return self.rank == 0

    def share(self, total: int) -> slice:
        """This process's part of ``total`` things: every ``count``-th."""
        return slice(self.rank, total, self.count)

    def add_up(self, tensors: Iterable[Tensor]) -> None:
        """Replace each tensor, in place, by its sum over the processes."""
        if self.count == 1:
            return
        tensors = list(tensors)
        # In one message: each has a cost of its own.
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        dist.all_reduce(flat)
        place = 0
        for tensor in tensors:
            tensor.copy_(flat[place : place + tensor.numel()].view_as(tensor))
            place += tensor.numel()

    def agree(self, number: int) -> bool:
        """Whether every process has the same number."""
        if self.count == 1:
            return True
        ends = torch.tensor([number, -number], device=self.device)
        dist.all_reduce(ends, dist.ReduceOp.MAX)
        return int(ends[0]) == -int(ends[1])

    def wait(self) -> None:
        """Until every process is here."""
        if self.count > 1:
            dist.barrier()


def join(device: str = "auto") -> Processes:
    """Join the other processes if torchrun started some (gloo on CPU, nccl on GPUs).

    device: ``cpu``, ``cuda``, or ``auto``: a GPU where there is one. Raises DeviceError
    when a GPU is asked for and there is none.
    """
    cuda = torch.cuda.is_available()
    if device == "cuda" and not cuda:
        raise DeviceError("device: torch sees no GPU here; use --device cpu.")
    on_gpu = cuda and device != "cpu"
    rank, count = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    place = torch.device("cpu")
    if on_gpu:
        place = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(place)
    if count > 1 and not dist.is_initialized():
        dist.init_process_group("nccl" if on_gpu else "gloo")
    return Processes(rank, count, place)


@contextmanager
def mixed_precision(bfloat16: bool = False) -> Iterator[None]:
    """While training, a GPU's matrix products may round their factors to TF32 (10 bits of
    mantissa), and with ``bfloat16`` those of a processor that can to that (7 bits); sums and
    everything else stay in float32. Afterwards, whatever happens, see `exact_products`."""
    torch.set_float32_matmul_precision("medium" if bfloat16 else "high")
    torch.backends.cudnn.allow_tf32 = True
    try:
        yield
    finally:
        exact_products()


def exact_products() -> None:
    """No factor of a matrix product is rounded: figures are computed so."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
