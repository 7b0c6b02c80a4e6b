"""What the driver says of the GPU while it works, by libnvidia-ml, as bench/power.hpp asks it."""

import ctypes

POWER_NOW = 186  # NVML_FI_DEV_POWER_INSTANT: a mean of the last second says nothing of a turn
CLOCK_SM = 1


class Field(ctypes.Structure):
    """nvmlFieldValue_t, as NVML's API reference has it."""

    _fields_ = [
        ("id", ctypes.c_uint),
        ("scope", ctypes.c_uint),
        ("timestamp", ctypes.c_longlong),
        ("latency", ctypes.c_longlong),
        ("type", ctypes.c_int),
        ("result", ctypes.c_int),
        ("value", ctypes.c_ulonglong),
    ]


class Gauge:
    """Of one GPU. Where nobody says, readings are None and `why_not` is a sentence."""

    def __init__(self, bus):
        """`bus`: where the GPU is, as in 0000:1B:00.0."""
        self.why_not = None
        try:
            self._nvml = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            self.why_not = "there is no libnvidia-ml.so.1"
            return
        self._device = ctypes.c_void_p()
        known = self._nvml.nvmlInit_v2() == 0 and (
            self._nvml.nvmlDeviceGetHandleByPciBusId_v2(bus.encode(), ctypes.byref(self._device)) == 0
        )
        if not known:
            self.why_not = f"libnvidia-ml does not know the GPU at {bus}"

    def read(self):
        """(MHz, watts) at this moment."""
        return (None, None) if self.why_not else (self._mhz(), self._watts())

    def watts_allowed(self):
        limit = ctypes.c_uint()
        if self.why_not or self._nvml.nvmlDeviceGetEnforcedPowerLimit(self._device, ctypes.byref(limit)) != 0:
            return None
        return limit.value / 1e3

    def driver(self):
        """Its version, or None."""
        text = ctypes.create_string_buffer(80)
        unknown = self.why_not or self._nvml.nvmlSystemGetDriverVersion(text, len(text)) != 0
        return None if unknown else text.value.decode()

    def _mhz(self):
        clock = ctypes.c_uint()
        failed = self._nvml.nvmlDeviceGetClockInfo(self._device, CLOCK_SM, ctypes.byref(clock))
        return None if failed else float(clock.value)

    def _watts(self):
        field = Field(id=POWER_NOW)
        failed = self._nvml.nvmlDeviceGetFieldValues(self._device, 1, ctypes.byref(field))
        return None if failed or field.result else (field.value & 0xFFFFFFFF) / 1e3
