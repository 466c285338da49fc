/** Small API descriptions that differ: what an organization has hundreds of. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const things = ['order', 'invoice', 'ticket', 'route', 'parcel', 'station', 'account', 'refund', 'quote', 'vehicle']
const areas = ['Billing', 'Shipping', 'Travel', 'Identity', 'Search', 'Support', 'Catalogue', 'Risk']

const pick = <T>(list: readonly T[], n: number): T => {
  const found = list[n % list.length]
  if (found === undefined) throw new Error('an empty list')
  return found
}

const operations = (thing: string, path: string, documented: boolean) => {
  const said = documented ? { description: `What a client does with a ${thing}.` } : {}
  const answer = {
    '200': {
      description: 'ok',
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${thing}` } } },
    },
  }
  return {
    [path]: {
      get: { operationId: `list-${thing}`, summary: `List ${thing}s`, tags: [thing], ...said, responses: answer },
      post: { operationId: `create-${thing}`, tags: [thing], ...said, responses: answer },
    },
    [`${path}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: `get-${thing}`, tags: [thing], ...said, responses: answer },
    },
  }
}

/** One description as text; two of every three numbers document their operations. */
export function description(n: number): string {
  const names = Array.from({ length: 1 + (n % 4) }, (_, at) => pick(things, n + at * 3))
  const schema = (thing: string) => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      created_at: { type: 'string', format: 'date-time' },
      [thing]: { type: 'object' },
    },
  })
  return JSON.stringify({
    openapi: n % 5 === 0 ? '3.0.3' : '3.1.0',
    info: {
      title: `${pick(areas, n)} ${pick(things, n)} ${n}`,
      version: `1.${n % 7}.0`,
      ...(n % 3 === 0 ? {} : { description: `The ${pick(things, n)}s of ${pick(areas, n)}.` }),
    },
    paths: Object.assign({}, ...names.map((thing) => operations(thing, `/${thing}s`, n % 3 !== 0))) as object,
    components: { schemas: Object.fromEntries(names.map((thing) => [thing, schema(thing)])) },
  })
}

/** Writes so many descriptions into a folder. */
export function writeDescriptions(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `api-${n}.json`), description(n))
}
