/** Numbers that another tool counts in the same way. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  BaseResolver,
  bundle,
  createConfig,
  detectSpec,
  getTypes,
  normalizeTypes,
  normalizeVisitors,
  resolveDocument,
  StatsOAS,
  walkDocument,
  type OASStatsAccumulator,
} from '@redocly/openapi-core'
import { parseDocument } from '../../../src/document/parse.ts'
import { countDocument } from '../../../src/stats/stats.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')

const row = (): { total: number; color: 'red'; metric: string } => ({ total: 0, color: 'red', metric: '' })
const rows = () => ({ ...row(), items: new Set<string>() })

/** What the other tool counts in a document. */
async function theirs(path: string): Promise<Record<string, number>> {
  const config = await createConfig({})
  const { bundle: document } = await bundle({ ref: path, config })
  const specVersion = detectSpec(document.parsed)
  const types = normalizeTypes(getTypes(specVersion), config)
  const resolvedRefMap = await resolveDocument({
    rootDocument: document,
    rootType: types.Root!,
    externalRefResolver: new BaseResolver(config.resolve),
  })
  const counted = {
    refs: rows(),
    externalDocs: row(),
    schemas: row(),
    parameters: rows(),
    links: rows(),
    pathItems: row(),
    webhooks: row(),
    operations: row(),
    tags: rows(),
    xExtensions: { ...row(), counts: {} },
  } satisfies Record<keyof OASStatsAccumulator, unknown> as OASStatsAccumulator
  const visitors = [{ severity: 'warn', ruleId: 'stats', visitor: StatsOAS(counted) }] as never
  walkDocument({
    document,
    rootType: types.Root!,
    normalizedVisitors: normalizeVisitors(visitors, types),
    resolvedRefMap,
    ctx: { problems: [], specVersion, config, visitorsData: {} },
  })
  const { refs, schemas, parameters, pathItems, operations, webhooks } = counted
  return {
    references: refs.total,
    schemas: schemas.total,
    parameters: parameters.total,
    paths: pathItems.total,
    operations: operations.total,
    webhooks: webhooks.total,
  }
}

/** The other tool counts the mappings of discriminators as references. */
const different: ReadonlySet<string> = new Set(['3.0/json/discriminators.json'])

const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^3.*\.json$/.test(name) && !different.has(name))
  .toSorted()

for (const name of names)
  test(name, async () => {
    const path = join(folder, name)
    const { references, schemas, api } = countDocument(parseDocument(await Bun.file(path).text(), { source: path }))
    expect({
      references: references.distinct,
      schemas: schemas.named,
      parameters: api?.parameters ?? 0,
      paths: api?.paths ?? 0,
      operations: api?.operations ?? 0,
      webhooks: api?.webhooks ?? 0,
    }).toEqual((await theirs(path)) as never)
  })
