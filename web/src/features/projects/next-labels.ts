/** The next versions of a project by the part that is raised, as semantic versions count. */
export interface NextLabel {
  readonly name: 'Patch' | 'Minor' | 'Major'
  readonly label: string
}

const semantic = /^(v?)(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/

/**
 * What may come after the greatest semantic version of some labels; nothing where none is one. Any other label, such as a
 * pre-release, does not count.
 */
export function nextLabels(labels: readonly string[]): readonly NextLabel[] {
  const versions = labels.flatMap((label) => {
    const [, sign, ...core] = semantic.exec(label) ?? []
    return sign === undefined ? [] : [{ sign, core: core.map(Number) }]
  })
  const compare = (a: readonly number[], b: readonly number[]): number =>
    a.map((it, at) => it - (b[at] ?? 0)).find((it) => it !== 0) ?? 0
  const greatest = versions.toSorted((a, b) => compare(b.core, a.core))[0]
  if (greatest === undefined) return []
  const { sign, core } = greatest
  const [major = 0, minor = 0, patch = 0] = core
  return [
    { name: 'Patch', label: `${sign}${major}.${minor}.${patch + 1}` },
    { name: 'Minor', label: `${sign}${major}.${minor + 1}.0` },
    { name: 'Major', label: `${sign}${major + 1}.0.0` },
  ]
}
