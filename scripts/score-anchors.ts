/**
 * Measures how anchors of threads survive real edits: `bun scripts/score-anchors.ts FOLDER`. Every folder below FOLDER with
 * `older.*` and `newer.*` is a pair, and one with numbered files (`00-….yaml`, `01-….yaml`) a history. Each node of the older document
 * gets an anchor, which is looked for in the newer one. An anchor is silently wrong if it is `anchored` at a node whose way
 * there passes another item of a list than the old way did, as a comparison of items says that shares no code with
 * `src/anchors`. The JSON Pointer alone is checked the same way. Exit code 1 if an anchor is silently wrong.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf } from '../src/anchors/key.ts'
import { reanchor, type AnchorPosition } from '../src/anchors/reanchor.ts'
import { isObject, type Json, type Path } from '../src/kernel/json.ts'
import { parseDocument } from '../src/document/parse.ts'
import { parsePointer } from '../src/kernel/pointer.ts'

const folder = process.argv[2]
if (!folder) throw new Error('usage: bun scripts/score-anchors.ts FOLDER')

const identityOf = (item: Json): string => {
  if (!isObject(item)) return JSON.stringify(item)
  if ('$ref' in item) return `ref ${String(item.$ref)}`
  if ('name' in item && 'in' in item) return `parameter ${String(item.name)} ${String(item.in)}`
  for (const key of ['operationId', 'name', 'url', 'title', 'const'])
    if (key in item && (typeof item[key] !== 'object' || item[key] === null)) return `${key} ${String(item[key])}`
  if (Array.isArray(item.enum)) return `enum ${JSON.stringify(item.enum)}`
  const properties = isObject(item.properties) ? Object.keys(item.properties).sort() : []
  return `type ${JSON.stringify(item.type)} ${properties.join(' ')}`
}

const nodesOf = (document: Json): Path[] => {
  const paths: Path[] = []
  const visit = (node: Json, path: Path): void => {
    if (typeof node !== 'object' || node === null) return
    if (!Array.isArray(node)) paths.push(path)
    const isList = Array.isArray(node)
    for (const [step, child] of Object.entries(node)) visit(child as Json, [...path, isList ? Number(step) : step])
  }
  visit(document, [])
  return paths
}

/** Whether both ways pass the same items of lists; null where one of them is not there. */
const isSameWay = (base: Json, from: Path, head: Json, to: readonly (string | number)[]): boolean | null => {
  let [before, after]: (Json | undefined)[] = [base, head]
  let isSame = from.length === to.length
  for (const [at, step] of from.entries()) {
    const isList = Array.isArray(before)
    before = (before as Record<string | number, Json>)[step]
    const other = to[at]
    if (other === undefined || typeof after !== 'object' || after === null) return null
    after = (after as Record<string | number, Json>)[other]
    if (after === undefined || before === undefined) return null
    if (isList && identityOf(before) !== identityOf(after)) isSame = false
  }
  return isSame
}

const total = { nodes: 0, anchored: 0, moved: 0, outdated: 0, wrong: 0, pointerGone: 0, pointerWrong: 0 }

function score(name: string, older: string, newer: string): void {
  const [base, head] = [older, newer].map((path) => parseDocument(readFileSync(path, 'utf8'), { source: path }).value)
  if (base === undefined || head === undefined) return
  const paths = nodesOf(base)
  const sought = paths.map((path) => ({ key: keyOf(base, path), nodeDigest: '' }))
  const places = reanchor(
    base,
    head,
    sought.map((it) => ({ ...it, lastKey: it.key })),
  )
  const count = { nodes: paths.length, anchored: 0, moved: 0, outdated: 0, wrong: 0, pointerGone: 0, pointerWrong: 0 }
  for (const [at, path] of paths.entries()) {
    const { state, pointer } = places[at] as AnchorPosition
    count[state]++
    if (state === 'anchored' && isSameWay(base, path, head, parsePointer(pointer) ?? []) !== true) {
      count.wrong++
      console.log(`  silently wrong: ${sought[at]?.key ?? ''} at ${pointer}`)
    }
    const verbatim = isSameWay(base, path, head, path)
    if (verbatim === null) count.pointerGone++
    else if (!verbatim) count.pointerWrong++
  }
  for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += count[key]
  console.log(`${name}: ${lineOf(count)}`)
}

const lineOf = (it: typeof total): string =>
  `${it.nodes} nodes: ${it.anchored} anchored, ${it.moved} moved, ${it.outdated} outdated, ${it.wrong} silently wrong; ` +
  `by pointer ${it.pointerGone} gone, ${it.pointerWrong} silently wrong`

function visit(path: string, name: string): void {
  const names = readdirSync(path).sort()
  const [older, newer] = ['older.', 'newer.'].map((begin) => names.find((it) => it.startsWith(begin)))
  if (older && newer) score(name, join(path, older), join(path, newer))
  const history = names.filter((it) => /^\d\d-.*\.(json|ya?ml)$/.test(it))
  for (const [at, next] of history.entries())
    if (at > 0) score(`${name}/${next}`, join(path, history[at - 1] ?? ''), join(path, next))
  for (const it of names)
    if (statSync(join(path, it)).isDirectory()) visit(join(path, it), name === '' ? it : `${name}/${it}`)
}

visit(folder, '')
console.log(`all: ${lineOf(total)}`)
process.exit(total.wrong > 0 ? 1 : 0)
