import type { Path } from '../../kernel/json.ts'
import { formatPointer } from '../../kernel/pointer.ts'
import { folderOf, stemOf } from '../tree-path.ts'
import { compareText } from '../../kernel/order.ts'

/** A place of another file that gets a name in the bundle. */
export interface Named {
  /** The file, and the way to the place in it. */
  readonly file: string
  readonly path: Path
  /** The section that it goes to, as a pointer: names are unique within one. */
  readonly section: string
  /** The name under which the document itself lists the place, where it does. */
  readonly alias: string | null
}

const clean = (text: string): string => text.replaceAll(/[^A-Za-z0-9._-]+/g, '_').replaceAll(/^_+|_+$/g, '')

/** The name that a place would like: the last step to it, or the name of its file. */
const wanted = ({ file, path }: Named): string => {
  const step = path.at(-1)
  const last = step === undefined ? undefined : `${step}`
  const number = last !== undefined && /^\d+$/.test(last)
  const name = last === undefined ? stemOf(file) : number ? `${String(path.at(-2) ?? stemOf(file))}_${last}` : last
  return clean(name) || clean(stemOf(file)) || 'unnamed'
}

/** Names that say more, for places that would like the same one. */
const longer = (named: Named): readonly string[] => {
  const { file, path } = named
  const name = wanted(named)
  const stem = clean(stemOf(file))
  // Of an address the path alone.
  const folder = clean(folderOf(file).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))
  const inFile = path.length === 0 ? name : `${stem}_${name}`
  return [inFile, `${folder}_${inFile}`].filter((one) => one !== name && !one.startsWith('_'))
}

/**
 * Gives every place a name that is free in its section. The names depend on the places alone, never on the order in which they were
 * found: in the order of their files, each takes its short name if it is free, otherwise one with its file, its folder or a number.
 *
 * @param reserved names that a section has already, by the section
 * @param keyOf what a place is known by
 */
export const nameAll = (
  places: readonly Named[],
  reserved: (section: string) => Iterable<string>,
  keyOf: (named: Named) => string,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  const sections = Map.groupBy(places, ({ section }) => section)
  for (const [section, members] of sections) {
    const taken = new Set(reserved(section))
    const rest: Named[] = []
    for (const member of members)
      if (member.alias === null) rest.push(member)
      else names.set(keyOf(member), member.alias)
    rest.sort((a, b) => compareText(a.file, b.file) || compareText(formatPointer(a.path), formatPointer(b.path)))
    const rivals = Map.groupBy(rest, wanted)
    const contested: Named[] = []
    for (const [name, group] of rivals)
      if (group.length === 1 && group[0] && !taken.has(name)) {
        names.set(keyOf(group[0]), name)
        taken.add(name)
      } else contested.push(...group)
    for (const member of contested) {
      const base = wanted(member)
      let free = longer(member).find((one) => !taken.has(one)) ?? base
      for (let count = 2; taken.has(free); count++) free = `${base}_${count}`
      taken.add(free)
      names.set(keyOf(member), free)
    }
  }
  return names
}
