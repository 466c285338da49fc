/** Large descriptions with one change at a known place, made when tools run. */
import type { JsonObject, MadeCase } from '../case.ts'
import { documentOf } from './documents.ts'
import { samples } from './keyword-atoms.ts'
import { Random } from './random.ts'

/** Paths of the descriptions: about 0.2, 1 and 4 MB. */
const sizes: readonly number[] = [250, 1250, 5000]

function description(random: Random, paths: number, changed: number, limit: number): JsonObject {
  const schema = (at: number): JsonObject => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', maxLength: at === changed ? limit : 40 },
      size: { type: 'integer', minimum: 0, maximum: random.int(100, 900) },
      color: { type: 'string', enum: random.values(4) },
      next: { $ref: `#/components/schemas/Thing${(at + 1) % paths}` },
    },
  })
  const item = (at: number): JsonObject => ({
    post: {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/Thing${at}` } } },
      },
      responses: { '204': { description: 'Done' } },
    },
  })
  const every = Array.from({ length: paths }, (_, at) => at)
  return documentOf('3.1', Object.fromEntries(every.map((at) => [`/things${at}`, item(at)])), {
    components: { schemas: Object.fromEntries(every.map((at) => [`Thing${at}`, schema(at)])) },
  })
}

/** The cases of the track: of each number of paths one that breaks and one that does not. */
export function sizeCases(seed: string, paths: readonly number[] = sizes): MadeCase[] {
  return paths.flatMap((count) => {
    const changed = new Random(`${seed}/size/${count}`).int(0, count - 1)
    const made = (limit: number) => description(new Random(`${seed}/size/${count}/values`), count, changed, limit)
    const [wide, narrow] = [made(40), made(39)]
    const common = { track: 'size', direction: 'request', source: `generator, ${count} paths, seed ${seed}` } as const
    const message = { request: { method: 'POST', url: `/things${changed}`, body: { id: 'x'.repeat(40) } } }
    return [
      {
        ...common,
        id: `paths-${count}-narrowed`,
        verdict: 'breaking',
        certificate: { accepts: 'base', refuses: 'head', message },
        base: wide,
        head: narrow,
      },
      {
        ...common,
        id: `paths-${count}-widened`,
        verdict: 'safe',
        certificate: {
          reason:
            'A string is valid up to that many characters; the limit of the head is the higher (validation 6.3.1, maxLength).',
          samples,
        },
        base: narrow,
        head: wide,
      },
    ] satisfies MadeCase[]
  })
}
