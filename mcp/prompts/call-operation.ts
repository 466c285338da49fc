import { operationUri, readResource } from '../resources.ts'
import type { Prompt } from '../prompt.ts'

const prompt: Prompt = {
  name: 'call_operation',
  title: 'Write a call of an operation',
  description: 'Writes the request of one operation from its definition, with the handling of its errors.',
  arguments: [
    { name: 'spec', description: 'tenant/project or tenant/project/version', required: true },
    { name: 'operation', description: '"GET /pets/{id}" or an operationId', required: true },
    { name: 'language', description: 'default: curl', required: false },
  ],
  async run({ spec = '', operation = '', language = 'curl' }, context) {
    const resource = await readResource(operationUri(spec, operation), context)
    const describe = context.toolName('spec.describe')
    const text = [
      `Write a call of ${operation} of ${spec} in: ${language}. Its definition is attached.`,
      `Use only parameters and fields that the definition has, give every required one, and put credentials where it says they belong, as placeholders. ` +
        `Handle each error status that it declares. Where it refers to a definition that is not attached, ask ${describe} for that "$ref" as "schema".`,
    ].join('\n\n')
    return [
      { role: 'user', content: { type: 'resource', resource } },
      { role: 'user', content: { type: 'text', text } },
    ]
  },
}
export default prompt
