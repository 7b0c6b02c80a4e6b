import csv
import io
import json
import types

import kit

kit.pretend_torch()
from peers import measure, problems, race, report  # noqa: E402


def entry(key, ms, error=1e-3, difference=1e-3):
    return measure.Entry(key, f"way of {key}", 3, race.Times(ms, ms * 0.9, ms * 1.1, 1500.0, 690.0), error, difference)


def outcome(shape, ours, kind="bf16", **peers):
    problem = problems.Problem(problems.KINDS[kind], *shape)
    return measure.Outcome(problem, entry("sectile", ours), [entry(key, ms) for key, ms in peers.items()], [])


ABOUT = {"device": "a GPU", "software": "CUDA", "command": "python3 bench/peers", "rounds": 3, "left_out": []}


class Report(kit.unittest.TestCase):
    def test_a_row_has_each_peer_over_us_and_the_best_of_them(self):
        row = report.row(outcome((64, 64, 64), 2.0, cublaslt=3.0, cutlass=1.0))
        self.assertEqual((row["cublaslt"], row["cutlass"]), (1.5, 0.5))
        self.assertEqual((row["ratio"], row["best_peer"]), (0.5, "cutlass"))
        self.assertEqual(row["us"], 2000)
        self.assertAlmostEqual(row["tflops"], 2 * 64**3 / 2e-3 / 1e12, 9)
        self.assertEqual((row["cutlass_choice"], row["cutlass_candidates"]), ("way of cutlass", 3))
        self.assertEqual(row["spread_percent"], 22.2)
        self.assertNotIn("triton", row)

    def test_a_problem_without_a_peer(self):
        row = report.row(outcome((64, 64, 64), 2.0))
        self.assertIsNone(row["ratio"])
        self.assertEqual(report.mean_rows([row])[0]["problems"], 1)

    def test_means_are_geometric_and_of_each_type(self):
        all_outcomes = [
            outcome((64, 64, 64), 1.0, cublaslt=2.0, triton=1.0),
            outcome((64, 64, 128), 1.0, cublaslt=0.5),
            outcome((64, 64, 64), 1.0, "s8", cublaslt=3.0),
        ]
        bf16, s8 = report.mean_rows([report.row(o) for o in all_outcomes])
        self.assertAlmostEqual(bf16["cublaslt"], 1.0, 5)
        self.assertEqual((bf16["cublaslt_least"], bf16["triton"], bf16["ratio_least"]), (0.5, 1.0, 0.5))
        self.assertAlmostEqual(bf16["ratio"], 0.5**0.5, 5)
        self.assertEqual((s8["name"], s8["cublaslt"], s8["problems"]), ("mean s8", 3.0, 1))

    def test_the_document_has_what_pages_ask_for(self):
        document = report.document([outcome((64, 64, 64), 2.0, triton=3.0, cublaslt=3.0)], ABOUT)
        for key in ("title", "device", "date", "command", "columns", "rows"):
            self.assertIn(key, document)
        self.assertEqual([c["key"] for c in document["columns"]], ["tflops", "cublaslt", "triton"])
        self.assertEqual([r["name"] for r in document["rows"]], ["bf16 64x64x64", "mean bf16"])
        json.dumps(document, allow_nan=False)

    def test_csv_has_a_line_for_each_problem(self):
        rows = [report.row(outcome((64, 64, 64), 2.0)), report.row(outcome((64, 64, 128), 2.0, triton=3.0))]
        first, second = csv.DictReader(io.StringIO(report.as_csv(rows)))
        self.assertEqual((first["triton"], second["triton"]), ("", "1.5"))
        self.assertEqual(first["name"], "bf16 64x64x64")

    def test_a_wrong_result_is_said(self):
        right = outcome((64, 64, 64), 2.0, triton=3.0)
        peers = [types.SimpleNamespace(key="triton")]
        self.assertNotIn("WRONG", report.line(right, peers))
        for wrong in (entry("triton", 1.0, error=1.0), entry("triton", 1.0, difference=float("nan"))):
            outcome_of = measure.Outcome(right.problem, right.ours, [wrong], [])
            self.assertIn("WRONG", report.line(outcome_of, peers))


if __name__ == "__main__":
    kit.unittest.main()
