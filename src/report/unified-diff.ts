/** The difference of two texts as `diff -u` and git write it. */

interface Step {
  readonly kind: ' ' | '-' | '+'
  readonly line: string
}

/** A shortest way from one list of lines to the other (Myers, "An O(ND) difference algorithm", 1986). */
function shortestWay(a: readonly string[], b: readonly string[]): Step[] {
  const most = a.length + b.length
  const trace: Int32Array[] = []
  let reached = new Int32Array(2 * most + 3)
  const at = (row: Int32Array, diagonal: number): number => row[diagonal + most + 1] ?? 0
  search: for (let d = 0; d <= most; d++) {
    // Only the diagonals that this round may look at are kept.
    trace.push(reached.slice(most + 1 - d - 1, most + 1 + d + 2))
    const next = reached
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(reached, k - 1) < at(reached, k + 1))
      let x = down ? at(reached, k + 1) : at(reached, k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next[k + most + 1] = x
      if (x >= a.length && x - k >= b.length) break search
    }
    reached = next
  }
  const steps: Step[] = []
  let [x, y] = [a.length, b.length]
  for (let d = trace.length - 1; x > 0 || y > 0; d--) {
    const row = trace[d] ?? new Int32Array(3)
    const seen = (diagonal: number): number => row[diagonal + d + 1] ?? 0
    const k = x - y
    const from = k === -d || (k !== d && seen(k - 1) < seen(k + 1)) ? k + 1 : k - 1
    const [fromX, fromY] = d === 0 ? [0, 0] : [seen(from), seen(from) - from]
    while (x > fromX && y > fromY && a[x - 1] === b[y - 1]) {
      steps.push({ kind: ' ', line: a[x - 1] ?? '' })
      x--
      y--
    }
    if (d === 0) break
    if (x === fromX) steps.push({ kind: '+', line: b[--y] ?? '' })
    else steps.push({ kind: '-', line: a[--x] ?? '' })
  }
  return steps.reverse()
}

const around = 3

/**
 * Two texts as hunks with three lines around each change; "" where they are equal.
 * @param name the file that both are versions of
 */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return ''
  const [a, b] = [before, after].map((text) => text.split('\n'))
  if (a === undefined || b === undefined) return ''
  let first = 0
  while (first < a.length && first < b.length && a[first] === b[first]) first++
  let last = 0
  while (last < a.length - first && last < b.length - first && a.at(-1 - last) === b.at(-1 - last)) last++
  const from = Math.max(0, first - around)
  const to = (list: readonly string[]): number => Math.min(list.length, list.length - last + around)
  const steps = shortestWay(a.slice(from, to(a)), b.slice(from, to(b)))
  const out = [`--- ${name}`, `+++ ${name}`]
  let [oldLine, newLine] = [from + 1, from + 1]
  for (let index = 0; index < steps.length;) {
    const changed = steps.findIndex((it, at) => at >= index && it.kind !== ' ')
    if (changed === -1) break
    const begin = Math.max(index, changed - around)
    oldLine += begin - index
    newLine += begin - index
    let end = changed
    for (let quiet = 0, at = changed; at < steps.length && quiet <= 2 * around; at++) {
      quiet = steps[at]?.kind === ' ' ? quiet + 1 : 0
      if (quiet === 0) end = at
    }
    const hunk = steps.slice(begin, Math.min(steps.length, end + 1 + around))
    const olds = hunk.filter((it) => it.kind !== '+').length
    const news = hunk.filter((it) => it.kind !== '-').length
    out.push(`@@ -${oldLine},${olds} +${newLine},${news} @@`, ...hunk.map((it) => it.kind + it.line))
    oldLine += olds
    newLine += news
    index = begin + hunk.length
  }
  return `${out.join('\n')}\n`
}
