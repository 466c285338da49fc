import { refusal } from '../../cli/declare.ts'

export default refusal({
  summary: 'Import a JSON Schema as types of the registry',
  instead: 'svc has no type registry. Use "svc import json-schema PATH", which imports the schemas as a project.',
})
