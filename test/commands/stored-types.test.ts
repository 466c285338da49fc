/** Published versions keep the revisions of their types, on this machine too. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-stored-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (line: string): Promise<string> => {
  const ran = await runCommand(line.split(' '), registry, {
    env: { SVC_WORKSPACE: join(folder, 'workspace') },
    cwd: folder,
  })
  if (ran.exit !== 0 && ran.exit !== 4) throw new Error(`${line}: ${ran.stderr}`)
  return ran.stdout
}
const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value))
const api = (version: string) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version },
  paths: {
    '/': {
      get: {
        responses: {
          200: { description: '', content: { 'application/json': { schema: { $ref: 'svc:shop/Shoe' } } } },
        },
      },
    },
  },
})

test('a published version is bundled and compared with the types of its publication, a draft with those of now', async () => {
  const store = async (schema: object): Promise<void> => {
    write('Shoe.json', schema)
    await run('import json-schema-type Shoe.json --namespace shop --name Shoe --on-conflict overwrite')
  }
  await store({ type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] })
  write('api.json', api('1.0.0'))
  await run('import openapi api.json --publish private --quiet')
  write('draft.json', api('2.0.0'))
  await run('import openapi draft.json --quiet')
  await store({ type: 'object', properties: { size: { type: 'string' } } })
  const schemaOf = async (side: string): Promise<unknown> => {
    const { components } = JSON.parse(await run(`bundle ${side} --format json`)) as {
      components: { schemas: Record<string, unknown> }
    }
    return components.schemas['Shoe']
  }
  const old = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }
  const now = { type: 'object', properties: { size: { type: 'string' } } }
  expect(await schemaOf('shop@1.0.0')).toEqual(old)
  expect(await schemaOf('shop@2.0.0')).toEqual(now)
  expect(await schemaOf('api.json')).toEqual(now)
  write('consumers.json', [])
  const { summary } = JSON.parse(await run('diff shop@1.0.0 api.json --consumers consumers.json --json')) as {
    summary: { verdict: string }
  }
  expect(summary.verdict).toBe('breaking')
})
