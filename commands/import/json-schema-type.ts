import { refusal } from '../../cli/declare.ts'

export default refusal({
  summary: 'Import a JSON Schema as types of the registry',
  instead:
    'there is no type registry. "svc import json-schema PATH" imports it as a project whose classes are its schemas.',
})
