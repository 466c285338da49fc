import { expect, test } from 'bun:test'
import type { Json, JsonObject } from '../../../../src/kernel/json.ts'
import { isValid } from '../../../../src/schema/validate.ts'
import { gateway, operation } from '../../../fixtures/gateway/positive.ts'
import { Maker, schemaNames } from '../../../fixtures/gateway/random-schemas.ts'

interface Case {
  readonly document: JsonObject
  readonly schema: Json
  readonly values: readonly Json[]
}

function caseOf(seed: number, old: boolean): Case {
  const maker = new Maker(seed, old)
  const schema = maker.schema()
  const document = {
    openapi: old ? '3.0.3' : '3.1.0',
    info: { title: 'Random', version: '1' },
    paths: { '/a': { post: operation({ requestBody: { content: { 'application/json': { schema } } } }) } },
    components: { schemas: Object.fromEntries(schemaNames.map((it) => [it, maker.schema()])) },
  }
  return { document, schema, values: Array.from({ length: 25 }, () => maker.value()) }
}

const isDescribed = ({ document, schema }: Case, value: Json, old: boolean, formats: boolean): boolean =>
  isValid(schema, value, { root: document, dialect: old ? 'openapi-3.0' : '2020-12', mode: 'request', formats })

for (const old of [true, false])
  test(`no body that ${old ? 'OpenAPI 3.0' : 'OpenAPI 3.1'} describes is refused, and where nothing is listed no other one passes`, () => {
    let [passed, refused, listed] = [0, 0, 0]
    for (let seed = 1; seed <= 120; seed++) {
      const it = caseOf(seed, old)
      const { compiled, status } = gateway(it.document)
      // What "nullable" without a type means is read in both ways.
      const isExact = compiled.notEnforced.length === 0 && !JSON.stringify(it.document).includes('nullable')
      if (!isExact) listed++
      for (const value of it.values) {
        const body = JSON.stringify(value)
        const headers = [
          ['Content-Type', 'application/json'],
          ['Content-Length', String(body.length)],
        ] as const
        const passes = status({ method: 'POST', uri: '/a', headers, body }) === 0
        const described = isDescribed(it, value, old, true)
        if (described && !passes)
          expect({ seed, schema: it.schema, value, written: compiled.files[0]?.text }).toEqual({} as never)
        // Formats are checked as far as expressions go, so what passes has to match without them.
        if (passes && isExact && !described && !isDescribed(it, value, old, false))
          expect({ seed, schema: it.schema, value, written: compiled.files[0]?.text }).toEqual({} as never)
        if (passes) passed++
        else refused++
      }
    }
    expect(Math.min(passed, refused)).toBeGreaterThan(500)
    expect(listed).toBeGreaterThan(20)
  })
