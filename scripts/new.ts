/**
 * Starts something new: `npm run new -- KIND NAME` writes its files, among them a test that fails until it is made; a command that calls
 * one operation is named with its id, and becomes a row. Files that exist are never overwritten; lists that have to name it are extended.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newCommand } from './new/command.ts'
import { newEndpoint } from './new/endpoint.ts'
import { newEngine } from './new/engine.ts'
import { newEvent } from './new/event.ts'
import { newImportFormat } from './new/import-format.ts'
import { newPage } from './new/page.ts'
import { newRule } from './new/rule.ts'
import { newTable } from './new/table.ts'
import type { Plan } from './new/plan.ts'

interface Kind {
  readonly form: string
  readonly plan: (root: string, name: string, operation?: string) => Plan | Promise<Plan>
}

const kinds: Readonly<Record<string, Kind>> = {
  rule: { form: 'ID, such as info-contact', plan: newRule },
  command: { form: 'NAME [OPERATION], such as "project archive" projects.archive', plan: newCommand },
  endpoint: { form: 'FEATURE.OPERATION, such as projects.archive', plan: newEndpoint },
  page: { form: 'FEATURE/PAGE, such as projects/archive', plan: newPage },
  event: { form: 'GROUP.NAME, such as version.archived', plan: newEvent },
  engine: { form: 'NAME, such as haproxy', plan: newEngine },
  'import-format': { form: 'ID, such as raml', plan: newImportFormat },
  table: { form: 'NAME, such as project-notes', plan: newTable },
}

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const [kind = '', name = '', operation, ...others] = process.argv.slice(2)
const chosen = kinds[kind]
if (chosen === undefined || name === '' || others.length > 0 || (operation !== undefined && kind !== 'command')) {
  const forms = Object.entries(kinds).map(([word, { form }]) => `  npm run new -- ${word} ${form}`)
  fail(`usage:\n${forms.join('\n')}`)
}
const root = join(import.meta.dir, '..')
let plan: Plan = { created: {}, changed: {}, next: [] }
try {
  plan = (await chosen?.plan(root, name, operation)) ?? plan
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
const existing = Object.keys(plan.created).filter((path) => existsSync(join(root, path)))
if (existing.length > 0) fail(`Already there: ${existing.join(', ')}`)
for (const [path, text] of Object.entries({ ...plan.created, ...plan.changed })) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
console.log(
  [
    ...Object.keys(plan.created).map((path) => `created  ${path}`),
    ...Object.keys(plan.changed).map((path) => `changed  ${path}`),
    ...plan.next.map((step) => `next     ${step}`),
  ].join('\n'),
)
