/**
 * Checks that comparisons agree with plain set differences: `bun scripts/diff-facts.ts FOLDER`. Every folder below FOLDER
 * that holds `older.*`, `newer.*` and `facts.json` (`opsAdded`, `opsRemoved`, `schemasAdded`, `schemasRemoved`,
 * `statusesAdded`, `statusesRemoved`, `paramsRemoved`, `newlyDeprecated`) is compared; a folder `docs-only` holds pairs that
 * differ in text alone, one with `steps.json` a history whose steps say what they are. Exit code 1 on any disagreement.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diff } from '../src/diff/diff.ts'
import type { DiffResult } from '../src/diff/options.ts'
import { parseDocument } from '../src/document/parse.ts'

const folder = process.argv[2]
if (!folder) throw new Error('usage: bun scripts/diff-facts.ts FOLDER')
let wrong = 0
let checked = 0

const compare = (base: string, head: string): DiffResult => {
  const [a, b] = [base, head].map((path) => parseDocument(readFileSync(path, 'utf8'), { source: path }))
  return diff(a!, b!)
}

const expectSame = (what: string, told: readonly string[], expected: readonly string[]): void => {
  checked++
  const [left, right] = [[...new Set(told)].sort().join('\n'), [...new Set(expected)].sort().join('\n')]
  if (left === right) return
  wrong++
  console.log(`${what}: told\n${left}\nexpected\n${right}`)
}

const pairIn = (path: string): readonly [string, string] | null => {
  const names = readdirSync(path)
  const [older, newer] = ['older.', 'newer.'].map((begin) => names.find((name) => name.startsWith(begin)))
  return older && newer ? [join(path, older), join(path, newer)] : null
}

const checkFacts = (name: string, result: DiffResult, facts: Readonly<Record<string, readonly string[]>>): void => {
  const of = (...ids: readonly string[]) => result.changes.filter((change) => ids.includes(change.id))
  const values = (...ids: readonly string[]) => of(...ids).map((change) => String(change.before ?? change.after))
  expectSame(`${name} opsAdded`, values('operation-added'), facts.opsAdded ?? [])
  expectSame(`${name} opsRemoved`, values('operation-removed'), facts.opsRemoved ?? [])
  expectSame(`${name} schemasAdded`, values('schema-component-added'), facts.schemasAdded ?? [])
  expectSame(`${name} schemasRemoved`, values('schema-component-removed'), facts.schemasRemoved ?? [])
  for (const action of ['added', 'removed'] as const) {
    const told = of(`status-success-${action}`, `status-failure-${action}`).flatMap((change) =>
      change.operations.map((operation) => `${operation} ${String(change.before ?? change.after).toLowerCase()}`),
    )
    const key = action === 'added' ? 'statusesAdded' : 'statusesRemoved'
    expectSame(`${name} ${key}`, told, facts[key] ?? [])
  }
  const gone = of('parameter-removed').flatMap((change) => change.operations)
  expectSame(
    `${name} paramsRemoved`,
    gone,
    (facts.paramsRemoved ?? []).map((it) => it.split(' ').slice(0, 2).join(' ')),
  )
  const deprecated = of('operation-deprecated-added').flatMap((change) => change.operations)
  expectSame(`${name} newlyDeprecated`, deprecated, facts.newlyDeprecated ?? [])
}

for (const name of readdirSync(folder).sort()) {
  const path = join(folder, name)
  const pair = pairIn(path)
  if (pair && existsSync(join(path, 'facts.json'))) {
    checkFacts(
      name,
      compare(...pair),
      JSON.parse(readFileSync(join(path, 'facts.json'), 'utf8')) as Record<string, string[]>,
    )
  } else if (name === 'docs-only') {
    for (const each of readdirSync(path)) {
      const inner = pairIn(join(path, each))
      if (inner) expectSame(`${name} ${each}`, [String(compare(...inner).maxSeverity)], ['docs-only'])
    }
  } else if (existsSync(join(path, 'steps.json'))) {
    const steps = JSON.parse(readFileSync(join(path, 'steps.json'), 'utf8')) as readonly {
      older: string
      newer: string
      kind: string
    }[]
    const file = (revision: string): string =>
      join(
        path,
        readdirSync(path).find((it) => it.includes(revision))!,
      )
    for (const { older, newer, kind } of steps) {
      const { maxSeverity } = compare(file(older), file(newer))
      // Whether a step without consequences touched text is reported by the documents, not by their bytes.
      const told = maxSeverity === null || maxSeverity === 'docs-only' ? 'text' : 'structural'
      expectSame(`${name} ${older} → ${newer}`, [told], [kind === 'structural' ? kind : 'text'])
    }
  }
}
console.log(`${checked} statements checked, ${wrong} differ`)
if (wrong > 0) process.exit(1)
