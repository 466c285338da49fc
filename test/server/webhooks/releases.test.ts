/** What receivers of webhooks were promised: the events of every release, compared with the present ones by svc itself. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describeService } from '../../../server/openapi/describe.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import { diff } from '../../../src/diff/diff.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { eventsOf } from '../../fixtures/events.ts'

type Plain = Record<string, unknown>
interface Schema {
  type?: unknown
  const?: unknown
  required?: string[]
  properties: Record<string, Schema>
}

const releases = join(import.meta.dir, '../../fixtures/releases')
const present = eventsOf(describeService(endpoints))

/** What a receiver that reads the older events does not understand any more. What is undecided counts too. */
function breaksIn(older: Plain, newer: Plain): string[] {
  const [base, head] = [older, newer].map((it) => parseDocument(JSON.stringify(it), { source: 'events.json' }))
  if (base === undefined || head === undefined) return []
  return diff(base, head)
    .changes.filter(({ severity }) => severity === 'breaking')
    .map(({ id, message }) => `${id}: ${message}`)
}

describe.each(readdirSync(releases).toSorted())('events since %s', (version) => {
  test('none breaks its receivers', () => {
    const stored = gunzipSync(readFileSync(join(releases, version, 'events.json.gz'))).toString()
    const older = JSON.parse(stored) as Plain
    expect(Object.keys(older['webhooks'] as Plain)).not.toEqual([])
    expect(breaksIn(older, present)).toEqual([])
  })
})

describe('what would break receivers', () => {
  const changed = (change: (webhooks: Plain, schemas: Record<string, Schema>) => void): string[] => {
    const copy = structuredClone(present)
    change(copy['webhooks'] as Plain, (copy['components'] as { schemas: Record<string, Schema> }).schemas)
    return breaksIn(present, copy).map((it) => it.split(':')[0] ?? '')
  }
  const dataOf = (schemas: Record<string, Schema>, name: string): Schema => {
    const data = schemas[name]?.properties['data']
    if (data === undefined) throw new Error(`no data in ${name}`)
    return data
  }

  test('nothing, where nothing changed, a property was added, or a type of event was added', () => {
    const added = (webhooks: Plain, schemas: Record<string, Schema>) => {
      webhooks['version.new'] = structuredClone(webhooks['version.retired'])
      dataOf(schemas, 'VersionRetiredEvent').properties['reason'] = { type: 'string' } as Schema
    }
    expect([changed(() => {}), changed(added)]).toEqual([[], []])
  })

  test.each<[string, (webhooks: Plain, schemas: Record<string, Schema>) => void]>([
    ['an event that is gone', (webhooks) => delete webhooks['version.retired']],
    ['a property that is gone', (_, schemas) => delete dataOf(schemas, 'VersionRetiredEvent').properties['version_id']],
    [
      'a property that may be absent',
      (_, schemas) => {
        const data = dataOf(schemas, 'VersionRetiredEvent')
        data.required = data.required?.filter((name) => name !== 'version_id') ?? []
      },
    ],
    [
      'a property of another type',
      (_, schemas) => (dataOf(schemas, 'ContractRevisedEvent').properties['revision'] = { type: 'string' } as Schema),
    ],
    [
      'another name of the type',
      (_, schemas) => {
        const type = schemas['VersionRetiredEvent']?.properties['type']
        if (type !== undefined) type.const = 'version.gone'
      },
    ],
  ])('%s', (_, change) => {
    expect(changed(change).length).toBeGreaterThan(0)
  })
})
