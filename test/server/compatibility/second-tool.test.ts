/**
 * The operator's own comparison tool beside our engine: a stand-in that writes what oasdiff 1.11.7 wrote of the same two
 * documents, and the real oasdiff as well where there is one on the PATH.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Evidence } from '../../../src/api/compatibility.ts'
import type { CompatibilitySettings } from '../../../server/compatibility/check.ts'
import { diffToolCommand } from '../../../server/compatibility/diff-tool.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const text = { type: 'string' }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

const orders = (version: string) => {
  const newer = version === '2.0.0'
  const state = { type: 'string', enum: newer ? ['open', 'paid', 'lost'] : ['open', 'paid'] }
  return {
    openapi: '3.0.3',
    info: { title: 'Shop', version },
    paths: {
      '/orders': {
        get: {
          parameters: (newer ? ['limit', 'sort'] : ['limit']).map((name) => ({ name, in: 'query', schema: text })),
          responses: {
            '200': {
              description: 'Orders',
              ...json({ type: 'object', required: ['id', 'state'], properties: { id: text, state } }),
            },
          },
        },
        post: {
          requestBody: {
            required: true,
            ...json({ type: 'object', required: ['id'], properties: newer ? { id: text } : { id: text, note: text } }),
          },
          responses: { '201': { description: 'Made' } },
        },
      },
      ...(newer ? {} : { '/carts': { delete: { responses: { '204': { description: 'Gone' } } } } }),
    },
  }
}

const swagger = (version: string) => ({
  swagger: '2.0',
  info: { title: 'Pets', version },
  paths: version === '1.0.1' ? { '/pets': { get: { responses: { '200': { description: 'Pets' } } } } } : {},
})

// What "oasdiff changelog base.json head.json --format json" of version 1.11.7 wrote of these documents.
const saidOfOrders = `[{"id":"api-path-removed-without-deprecation","text":"api path removed without deprecation","level":3,"operation":"DELETE","path":"/carts","source":"base.json","section":"paths"},{"id":"response-property-enum-value-added","text":"added the new 'lost' enum value to the 'state' response property for the response status '200'","comment":"Adding new enum values to response could be unexpected for clients, use x-extensible-enum instead.","level":2,"operation":"GET","path":"/orders","source":"head.json","section":"paths"},{"id":"request-property-removed","text":"removed the request property 'note'","level":2,"operation":"POST","path":"/orders","source":"head.json","section":"paths"},{"id":"new-optional-request-parameter","text":"added the new optional 'query' request parameter 'sort'","level":1,"operation":"GET","path":"/orders","source":"head.json","section":"paths"}]`
const saidOfPets = `[{"id":"api-path-removed-without-deprecation","text":"api path removed without deprecation","level":3,"operation":"GET","path":"/pets","source":"base.json","section":"paths"}]`

// Called as oasdiff is; of a document that is no OpenAPI 3 it says "[]", as oasdiff does.
const standIn = `#!/bin/sh
if [ "$1" = --version ]; then echo "oasdiff version main"; exit 0; fi
[ "$1 $4 $5" = "changelog --format json" ] || { echo "unknown command" >&2; exit 100; }
grep -q '"openapi": *"3' "$2" && grep -q '"openapi": *"3' "$3" || { echo "[]"; exit 0; }
if grep -q '"/pets"' "$2"; then cat <<'END'
${saidOfPets}
END
else cat <<'END'
${saidOfOrders}
END
fi
`

onBothEngines('a second tool', (makeDb) => {
  let it: PetsProject
  let folder: string
  const settings: { -readonly [K in keyof CompatibilitySettings]: CompatibilitySettings[K] } = {
    diffTool: null,
    issueUrl: null,
  }
  const record = async (tool: string, base: string, head: string): Promise<Evidence> => {
    settings.diffTool = diffToolCommand(tool)
    const body = { baseRevisionId: base, headRevisionId: head }
    const { status, value } = await it.send('POST', '/v1/versions/local/pets/compatibility/evidence', body)
    expect([status, value.detail]).toEqual([200, undefined])
    return value as unknown as Evidence
  }
  const tool = (name: string, script: string): string => {
    const path = join(folder, name)
    writeFileSync(path, script)
    chmodSync(path, 0o755)
    return path
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-tool-'))
    it = await openPetsProject(await makeDb(), { compatibility: settings })
    for (const document of [orders('1.0.0'), orders('2.0.0'), swagger('1.0.1'), swagger('2.0.1')])
      expect((await it.send('POST', '', { content: JSON.stringify(document) })).status).toBe(201)
  })
  afterAll(async () => {
    await it.service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('both verdicts are recorded, and where they differ', async () => {
    const real = Bun.which('oasdiff')
    for (const path of [tool('oasdiff', standIn), ...(real === null ? [] : [real])]) {
      const { tools, overall, agreement, differences, externalFindings } = await record(path, '1.0.0', '2.0.0')
      expect(tools.map((one) => [one.name, one.status, one.overall, one.message])).toEqual([
        ['svc', 'ran', 'breaking', null],
        ['oasdiff', 'ran', 'breaking', null],
      ])
      expect(externalFindings.map((one) => `${one.operation} ${one.classification} ${one.id}`).sort()).toEqual([
        'DELETE /carts breaking api-path-removed-without-deprecation',
        'GET /orders safe new-optional-request-parameter',
        'GET /orders unknown response-property-enum-value-added',
        'POST /orders unknown request-property-removed',
      ])
      expect([overall, agreement]).toEqual(['breaking', 'differ'])
      expect(differences).toEqual([
        {
          operation: 'GET /orders',
          ours: 'breaking',
          theirs: 'unknown',
          ourRules: ['schema-enum-value-added'],
          theirRules: ['response-property-enum-value-added'],
        },
        {
          operation: 'POST /orders',
          ours: 'breaking',
          theirs: 'unknown',
          ourRules: ['schema-optional-property-removed'],
          theirRules: ['request-property-removed'],
        },
      ])
    }
  })

  test('of Swagger 2.0 it is given OpenAPI 3.1, which it can read, and that is said', async () => {
    const { tools, agreement } = await record(tool('oasdiff', standIn), '1.0.1', '2.0.1')
    expect(tools[1]).toMatchObject({
      name: 'oasdiff',
      version: 'main',
      status: 'ran',
      overall: 'breaking',
      message: 'It compared the OpenAPI 3.1 documents that were made of Swagger 2.0, which it does not read.',
    })
    expect(agreement).toBe('agree')
  })

  test('a tool that cannot answer has failed, and is no opinion', async () => {
    const outcomes: Record<string, string> = {
      refuses: '#!/bin/sh\necho "flag provided but not defined" >&2\nexit 100\n',
      chatters: '#!/bin/sh\necho "No changes"\n',
      misspeaks: '#!/bin/sh\necho \'[{"text":"x"}]\'\n',
      missing: '',
    }
    const seen: Record<string, unknown> = {}
    for (const [name, script] of Object.entries(outcomes)) {
      const path = script === '' ? join(folder, name) : tool(name, script)
      const { tools, agreement } = await record(`${path} {base} {head}`, '1.0.0', '2.0.0')
      const { status, overall, message } = tools[1]!
      expect([status, overall, agreement]).toEqual(['failed', null, 'not-compared'])
      seen[name] = message?.replace(/\(.*\)/s, '(…)')
    }
    expect(seen).toEqual({
      refuses: 'it said: flag provided but not defined',
      chatters: 'its output is not JSON (…)',
      misspeaks: 'an entry of its output has no id and level',
      missing: 'it could not be started (…)',
    })
    const { tools } = await record('', '1.0.0', '2.0.0')
    expect(tools[1]).toMatchObject({ name: 'external', status: 'not-configured' })
  })
})
