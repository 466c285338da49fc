import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = `aliases:
  Title: [$.info.title]
parserOptions: { duplicateKeys: info, incompatibleValues: hint }
rules:
  title-says-api:
    given: '#Title'
    severity: error
    then: { function: pattern, functionOptions: { match: API } }
overrides:
  - files: ['drafts/*.yaml']
    rules: { title-says-api: info }
  - files: ['old.yaml#/info']
    rules: { title-says-api: off }
`
const paths = '{ /a: { get: { summary: A, summary: B, responses: { 200: { description: Fine } } } } }'

onBothEngines('custom rules on the server', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
  })
  afterAll(() => it.service.stop())

  test('say what they say on the command line: aliases, overrides, options of the parser', async () => {
    const { value: guide } = await it.send('POST', '/v1/style-guides/local', { name: 'Whole language' })
    const told = async (name: string, rules = yaml) => {
      const body = { yaml: rules, name, content: petsYaml('1.0.0', paths) }
      const { value } = await it.send(
        'POST',
        `/v1/style-guides/local/${String(guide['id'])}/custom-rules/preview`,
        body,
      )
      return (value['findings'] as { code: string; severity: string; pointer: string }[])
        .filter(({ code }) => ['title-says-api', 'parser'].includes(code))
        .map(({ code, severity, pointer }) => `${severity} ${code} ${pointer}`)
    }
    const parser = ['info parser /paths/~1a/get/summary', 'hint parser /paths/~1a/get/responses/200']
    expect(await told('pets.yaml')).toEqual(['error title-says-api /info/title', ...parser])
    expect(await told('drafts/pets.yaml')).toEqual(['info title-says-api /info/title', ...parser])
    expect(await told('old.yaml')).toEqual(parser)
    const silent = yaml.replace(/parserOptions.*/, 'parserOptions: { duplicateKeys: off, incompatibleValues: off }')
    expect(await told('old.yaml', silent)).toEqual([])
    // A guide of ours that says nothing of it does not complain of "200:".
    const plain = yaml.replace(/parserOptions.*\n/, '')
    expect(await told('old.yaml', plain)).toEqual(['error parser /paths/~1a/get/summary'])
  })
})
