/** The merges of a git repository, as triples of texts: what both sides of each merge commit changed, otherwise. */
import type { Triple } from './replay.ts'

const isDocument = (path: string): boolean => /\.(json|ya?ml)$/i.test(path)

/** Runs git; null where it fails. */
function git(folder: string, ...words: string[]): string | null {
  const { exitCode, stdout } = Bun.spawnSync(['git', '-c', 'core.quotepath=off', ...words], { cwd: folder })
  return exitCode === 0 ? stdout.toString() : null
}

/** Files of two commits that differ, with the object of the second. */
function changed(folder: string, from: string, to: string): ReadonlyMap<string, string> {
  const text = git(folder, 'diff-tree', '-r', '-z', '--no-renames', '--diff-filter=M', from, to) ?? ''
  const fields = text.split('\0')
  const files = new Map<string, string>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , , object] = (fields[at] ?? '').split(' ')
    const path = fields[at + 1] ?? ''
    if (object !== undefined && isDocument(path)) files.set(path, object)
  }
  return files
}

/** A repository's merge commits, and the files that a merge driver is asked about in them. */
export interface Merges {
  readonly commits: number
  /** Merges with more than one base, which git makes one of first, and with more than two parents, are left out. */
  readonly leftOut: number
  readonly triples: readonly Triple[]
}

/** Replays what `git merge` had to do in each merge commit of a repository. */
export function mergesOf(folder: string): Merges {
  const lines = (git(folder, 'rev-list', '--all', '--topo-order', '--merges', '--parents') ?? '')
    .split('\n')
    .filter((it) => it !== '')
  const triples: Triple[] = []
  let leftOut = 0
  for (const line of lines) {
    const [commit = '', mine = '', theirs = '', ...more] = line.split(' ')
    const bases = (git(folder, 'merge-base', '--all', mine, theirs) ?? '').split('\n').filter((it) => it !== '')
    const [base] = bases
    if (more.length > 0 || bases.length !== 1 || base === undefined) {
      leftOut += 1
      continue
    }
    const [left, right] = [changed(folder, base, mine), changed(folder, base, theirs)]
    for (const [path, object] of left) {
      const other = right.get(path)
      if (other === undefined || other === object) continue
      const texts = [`${base}:${path}`, object, other].map((it) => git(folder, 'cat-file', 'blob', it))
      const [before, ours, others] = texts
      if (before == null || ours == null || others == null) continue
      triples.push({ name: `${commit.slice(0, 12)} ${path}`, path, base: before, mine: ours, theirs: others })
    }
  }
  return { commits: lines.length, leftOut, triples }
}
