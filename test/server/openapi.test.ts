import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'bun:test'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { describeService } from '../../server/openapi.ts'
import { analyse } from '../../server/analysis/analyse.ts'

const contract = describeService(endpoints)

test('the published contract is valid OpenAPI 3.1, says a validator that is not ours', async () => {
  const result = await new Validator().validate(structuredClone(contract))
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('it is grade A by our own guide', () => {
  const { grade, invalid, findings } = analyse(JSON.stringify(contract), {
    source: 'openapi.json',
    format: 'auto',
    projectNameField: null,
  })
  expect(invalid).toEqual([])
  expect(findings.filter((one) => one.severity === 'error')).toEqual([])
  expect(grade.grade).toBe('A')
})

test('operation ids are unique, bodies are closed', () => {
  const ids = endpoints.map((it) => it.id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  const open = endpoints.filter(
    (it) =>
      it.body &&
      (it.body as { additionalProperties?: unknown; type?: string }).type === 'object' &&
      (it.body as { additionalProperties?: unknown }).additionalProperties !== false,
  )
  expect(open.map((it) => it.id)).toEqual([])
})
