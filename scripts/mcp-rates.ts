/**
 * Measures how often the rules for MCP servers find something in a folder of tool lists (files that end in ".json"), and writes what
 * the pages of the rules say of it: `node scripts/bun.mjs run scripts/mcp-rates.ts FOLDER`, then `npm run gen`. Each list is looked
 * at beside all others, as the servers of one organization.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from '../src/document/parse.ts'
import type { Finding } from '../src/lint/finding.ts'
import { lint } from '../src/lint/lint.ts'
import { rules } from '../src/lint/rules.gen.ts'
import { lookBeside } from '../src/mcp-catalogue/look-beside.ts'
import { readUpload } from '../src/mcp-catalogue/observe.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Give the folder with the tool lists.')
  process.exit(2)
}

/** The tool that a finding is about; null for one about the list. */
const toolOf = ({ path }: Finding): number | null => path.find((it): it is number => typeof it === 'number') ?? null

const files = readdirSync(folder).filter((it) => it.endsWith('.json'))
const lists = await Promise.all(
  files.toSorted().map(async (file) => {
    const text = await Bun.file(join(folder, file)).text()
    return { file, text, surface: readUpload(text).surface }
  }),
)
const namesOf = ({ surface }: (typeof lists)[number]): string[] => surface.tools.map(({ name }) => String(name))
const mcpRules = Object.fromEntries(Object.entries(rules).filter(([, { formats }]) => formats?.includes('mcp')))
const rates: Record<string, { tools: number; lists: number }> = {}
for (const list of lists) {
  const others = Object.fromEntries(lists.filter((it) => it !== list).map((it) => [it.file, namesOf(it)]))
  const document = parseDocument(list.text, { source: list.file })
  const { findings, rules: applied } = lint(document, mcpRules, { beside: lookBeside(list.surface, null, others) })
  for (const { code, targets } of applied) if (targets > 0) rates[code] ??= { tools: 0, lists: 0 }
  for (const [code, all] of Map.groupBy(findings, (it) => it.code)) {
    const rate = (rates[code] ??= { tools: 0, lists: 0 })
    rate.lists += 1
    rate.tools += new Set(all.map(toolOf).filter((it) => it !== null)).size
  }
}
// Drift needs two states of one server, and lists of tools have no servers, prompts or resources.
const unmeasured = /^mcp-(?:drift|server|prompt|resource)/
const measured = Object.entries(rates).filter(([code]) => code in mcpRules && !unmeasured.test(code))
const result = {
  lists: lists.length,
  tools: lists.reduce((sum, it) => sum + it.surface.tools.length, 0),
  rules: Object.fromEntries(measured.toSorted(([a], [b]) => (a < b ? -1 : 1))),
}
await Bun.write(join(import.meta.dir, 'gen/mcp-rates.json'), `${JSON.stringify(result, null, 2)}\n`)
console.log(`Measured ${result.tools} tools of ${result.lists} lists.`)
