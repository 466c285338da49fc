import type { Path } from '../kernel/json.ts'
import { nodeKind, type Outline } from './outline.ts'

/** A key of YAML that means something else than a text: 200, true, null. */
export interface OddKey {
  readonly type: 'number' | 'boolean' | 'null'
  /** Of the entry under the key. */
  readonly path: Path
  /** Offsets of the key. */
  readonly start: number
  readonly end: number
}

const number =
  /^[-+]?(?:0x[\da-fA-F]+|0o[0-7]+|\.?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.inf|\.Inf|\.INF)$|^\.(?:nan|NaN|NAN)$/

const typeOf = (key: string): OddKey['type'] | null => {
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(key)) return 'boolean'
  if (/^(?:~|null|Null|NULL|)$/.test(key)) return 'null'
  return number.test(key) ? 'number' : null
}

/** The paths of some nodes, in the order of the text. */
export function pathsOf(outline: Outline, wanted: ReadonlySet<number>): ReadonlyMap<number, Path> {
  const found = new Map<number, Path>()
  const path: (string | number)[] = []
  const visit = (id: number): void => {
    if (wanted.has(id)) found.set(id, [...path])
    const isMap = outline.kind[id] === nodeKind.map
    let index = 0
    for (const child of outline.children(id)) {
      path.push(isMap ? outline.key(child) : index++)
      visit(child)
      path.pop()
    }
  }
  if (wanted.size > 0 && outline.count > 0) visit(0)
  return found
}

/** Every unquoted key that YAML does not take for a text. */
export function findOddKeys(outline: Outline): readonly OddKey[] {
  const types = new Map<number, OddKey['type']>()
  for (let id = 0; id < outline.count; id++) {
    const start = outline.keyStart[id] ?? -1
    const end = outline.keyEnd[id] ?? start
    if (start < 0 || end - start > 40) continue
    const type = typeOf(outline.text.slice(start, end))
    if (type !== null) types.set(id, type)
  }
  const paths = pathsOf(outline, new Set(types.keys()))
  return [...types].map(([id, type]) => ({
    type,
    path: paths.get(id) ?? [],
    start: outline.keyStart[id] ?? 0,
    end: outline.keyEnd[id] ?? 0,
  }))
}
