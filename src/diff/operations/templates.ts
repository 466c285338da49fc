/** Path templates as sets of URLs. They are given without the names of parameters: `/a/{}`. */

/** What two templates share. */
export interface Meeting {
  /** The template that was met. */
  readonly template: string
  /** The template of the URLs that both have. */
  readonly shared: string
  /** Whether both have the same URLs. */
  readonly isSame: boolean
  /** Whether every URL of the one is a URL of the template that it meets. */
  readonly isWhole: boolean
  /** Parameters of the template that are text in the one, by position; null where only a part of it is known. */
  readonly fixed: ReadonlyMap<number, string | null>
  /** Parameters of the template that are parameters of the one: its position by that of the template. */
  readonly moved: ReadonlyMap<number, number>
}

const variables = (segment: string): number => segment.split('{}').length - 1

const patternOf = (segment: string): RegExp =>
  new RegExp(`^${segment.replaceAll(/[\\^$.*+?()[\]|/]/g, String.raw`\$&`).replaceAll('{}', '(.+)')}$`, 's')

/** Whether no text fits both: they begin or end with different text. Of two patterns the middle is not looked at. */
const areApart = (a: string, b: string): boolean => {
  if (a === b) return false
  if (variables(a) === 0 && variables(b) === 0) return true
  if (variables(a) === 0) return !patternOf(b).test(a)
  if (variables(b) === 0) return !patternOf(a).test(b)
  const [headOf, tailOf] = [
    (it: string): string => it.slice(0, it.indexOf('{}')),
    (it: string): string => it.slice(it.lastIndexOf('{}') + 2),
  ]
  const begins = headOf(a).startsWith(headOf(b)) || headOf(b).startsWith(headOf(a))
  const ends = tailOf(a).endsWith(tailOf(b)) || tailOf(b).endsWith(tailOf(a))
  return !begins || !ends
}

/** What the one template shares with another; null where they have no URL in common. */
export const meet = (one: string, template: string): Meeting | null => {
  const [left, right] = [one.split('/'), template.split('/')]
  if (left.length !== right.length) return null
  const fixed = new Map<number, string | null>()
  const moved = new Map<number, number>()
  const shared: string[] = []
  let [isWhole, from, at] = [true, 0, 0]
  for (const [i, a] of left.entries()) {
    const b = right[i]!
    if (areApart(a, b)) return null
    const [ownOfOne, ownOfOther] = [variables(a), variables(b)]
    const isNarrower = ownOfOne === 0 || b === '{}'
    if (a === b) for (let k = 0; k < ownOfOne; k++) moved.set(at + k, from + k)
    else if (isNarrower) {
      const texts = ownOfOther === 1 && ownOfOne === 0 ? patternOf(b).exec(a)!.slice(1) : []
      for (let k = 0; k < ownOfOther; k++) fixed.set(at + k, texts[k] ?? null)
    } else isWhole = false
    shared.push(isNarrower ? a : b)
    from += ownOfOne
    at += ownOfOther
  }
  return { template, shared: shared.join('/'), isSame: one === template, isWhole, fixed, moved }
}

interface Node {
  /** The next segments by their text, and those of them that have a parameter. */
  readonly next: Map<string, Node>
  readonly open: [string, Node][]
  /** The templates that end here, as they are written. */
  readonly ends: string[]
}

const newNode = (): Node => ({ next: new Map(), open: [], ends: [] })

/** Templates by their segments, so that those that share URLs with one are found without looking at all of them. */
export class TemplateIndex {
  private readonly root = newNode()

  /** @param templates as they are written, each with the paths that it has behind its servers */
  constructor(templates: readonly (readonly [template: string, paths: readonly string[]])[]) {
    for (const [template, paths] of templates)
      for (const path of paths) {
        let at = this.root
        for (const segment of path.split('/')) {
          let next = at.next.get(segment)
          if (!next) {
            at.next.set(segment, (next = newNode()))
            if (variables(segment) > 0) at.open.push([segment, next])
          }
          at = next
        }
        at.ends.push(template)
      }
  }

  /** The templates with exactly this path. */
  templatesAt(path: string): readonly string[] {
    let at: Node | undefined = this.root
    for (const segment of path.split('/')) at = at?.next.get(segment)
    return at?.ends ?? []
  }

  /**
   * The templates that share URLs with a path, each with its own path.
   *
   * @param walk is called for each step
   * @returns null where it ends the search with false
   */
  near(path: string, walk: () => boolean): readonly (readonly [template: string, path: string])[] | null {
    let level: (readonly [at: Node, path: string])[] = [[this.root, '']]
    for (const [i, segment] of path.split('/').entries()) {
      const below: (readonly [Node, string])[] = []
      for (const [at, before] of level) {
        const own = at.next.get(segment)
        const candidates = variables(segment) > 0 ? at.next : [...(own ? [[segment, own] as const] : []), ...at.open]
        for (const [text, next] of candidates) {
          if (!walk()) return null
          if (!areApart(segment, text)) below.push([next, i === 0 ? text : `${before}/${text}`])
        }
      }
      level = below
    }
    return level.flatMap(([at, whole]) => at.ends.map((template) => [template, whole] as const))
  }
}
