import kit
from peers import problems


class Problems(kit.unittest.TestCase):
    def test_usual_shapes_can_be_packed_and_differ(self):
        for kind in problems.KINDS.values():
            usual = problems.usual_problems([kind])
            for p in usual:
                self.assertEqual([x % step for x, step in zip((p.m, p.n, p.k), kind.multiples())], [0, 0, 0], p.name)
            self.assertEqual(len({p.shape for p in usual}), len(usual))
            self.assertEqual({p.family for p in usual}, {"square", "layer", "random"})

    def test_random_shapes_are_the_same_for_everybody(self):
        self.assertEqual(problems.random_shapes(4), problems.random_shapes(9)[:4])
        self.assertNotEqual(problems.random_shapes(4), problems.random_shapes(4, seed=15))

    def test_work_and_bytes(self):
        dense = problems.Problem(problems.KINDS["bf16"], 2, 16, 32)
        self.assertEqual(dense.flops, 2 * 2 * 16 * 32)
        self.assertEqual(dense.bytes, 2 * (2 * 32 + 16 * 32 + 2 * 16))
        sparse = problems.Problem(problems.KINDS["sparse bf16"], 32, 32, 128)
        self.assertEqual(sparse.flops, 2 * 32 * 32 * 128)
        self.assertEqual(sparse.bytes, 32 * 128 * (1 + 1 / 8) + 2 * 32 * 128 + 2 * 32 * 32)
        s8 = problems.Problem(problems.KINDS["s8"], 1, 16, 16)
        self.assertEqual(s8.bytes, 16 + 256 + 4 * 16)

    def test_shapes_that_are_none(self):
        for text in ("12", "1x2", "1x2x3x4", "ax2x3", "0x16x16", ""):
            with self.assertRaisesRegex(problems.Unasked, "is not a shape; write MxNxK"):
                problems.read_shapes(text)
        self.assertEqual(problems.read_shapes("1x16x32,2x3x4"), [(1, 16, 32), (2, 3, 4)])

    def test_shapes_that_cannot_be_packed(self):
        kinds = problems.read_kinds("bf16,sparse bf16")
        with self.assertRaisesRegex(problems.Unasked, "16x32x128: .* of sparse bf16 are multiples of 32, 32, 128"):
            problems.problems_of(kinds, [(16, 32, 128)])
        self.assertEqual(len(problems.problems_of(kinds, [(32, 32, 128)])), 2)

    def test_types_that_are_none(self):
        with self.assertRaisesRegex(problems.Unasked, "'f64' is no type of products here; there are bf16, e4m3"):
            problems.read_kinds("bf16,f64")


if __name__ == "__main__":
    kit.unittest.main()
