"""What bench/attention_e4m3.py asks of the library, and which figures it keeps. It needs PyTorch, which is pretended."""

import pathlib
import re
import sys
import types

import kit

kit.pretend_torch()
sys.modules["torch.nn"] = types.SimpleNamespace()
sys.modules["torch.nn.attention"] = types.SimpleNamespace(
    SDPBackend=types.SimpleNamespace(CUDNN_ATTENTION=0, FLASH_ATTENTION=1), sdpa_kernel=None
)

import attention_e4m3  # noqa: E402


def of(ms):
    return {"ms": ms, "tflops": 8 / ms, "spread": 0.0}


def measured(ours, **more):
    return {"shape": (2, 16, 4096, 128), "causal": True, "ours": of(ours), "turn": of(0.25), "error": 0.02, **more}


class Rows(kit.unittest.TestCase):
    def test_ratios_are_their_time_over_ours(self):
        repeats = [measured(2.0, cudnn=of(3.0), bf16=of(5.0), cudnn_error=0.05),
                   measured(4.0, cudnn=of(3.0), bf16=of(6.0), cudnn_error=0.05)]  # fmt: skip
        row = attention_e4m3.measured_row(repeats)
        self.assertEqual((row["name"], row["kind"]), ("2x16x4096x128 causal", "causal"))
        self.assertEqual((row["tflops"], row["turn_us"]), ([4, 2], [250, 250]))
        self.assertEqual((row["ratio"], row["over_bf16"]), ([1.5, 0.75], [2.5, 1.5]))
        self.assertEqual((row["cudnn_tflops"][0], row["cudnn_error"]), (2.66667, [0.05, 0.05]))

    def test_where_there_is_no_cudnn_its_columns_are_left_out(self):
        row = attention_e4m3.measured_row([measured(2.0, bf16=of(5.0))])
        self.assertEqual(row["over_bf16"], 2.5)
        self.assertFalse({"ratio", "cudnn_tflops", "cudnn_error"} & row.keys())


class Functions(kit.unittest.TestCase):
    def test_the_library_takes_as_many_arguments_as_it_is_given(self):
        bench = pathlib.Path(attention_e4m3.__file__).parent
        source, script = ((bench / name).read_text() for name in ("attention_8bit.cu", "attention_e4m3.py"))
        for name, tensors, numbers in re.findall(r'function\("(\w+)", (\d+), (\d+)\)', script):
            parameters = re.search(rf"{name}\((.*?)\)", source, re.S)[1].split(",")
            kinds = [p.strip().rsplit(" ", 1)[0].replace("const ", "") for p in parameters]
            self.assertEqual(kinds, ["void*"] * int(tensors) + ["int"] * int(numbers) + ["void*"], name)


if __name__ == "__main__":
    kit.unittest.main()
