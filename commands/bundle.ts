import { command } from '../cli/declare.ts'
import { bundle } from '../cli/convert/bundle.ts'
import { outputOptions } from '../cli/convert/output.ts'
import { baseOption, documentArgument } from '../cli/convert/whole.ts'

export default command({
  summary: 'Make one document of several files',
  description:
    'Writes a document and everything that its references lead to as one document: OpenAPI, Swagger, Arazzo and JSON Schema, of the version of the author. What other files hold becomes a component named after its place; path items are written where they are referred to. Comments, order and layout of the first file are kept where the result has the same syntax. A reference that cannot be resolved is an error with its line and column, and nothing is written. Exit codes: 6 if a document or reference cannot be read.',
  examples: [
    'svc bundle openapi.yaml -o dist/openapi.yaml',
    'svc bundle openapi.yaml --format json',
    'svc bundle openapi.yaml --dereference -o flat.json',
    'svc bundle https://example.com/apis/openapi.yaml',
    'cat openapi.yaml | svc bundle - --base apis/',
  ],
  arguments: [documentArgument],
  options: {
    ...outputOptions,
    dereference: {
      type: 'boolean',
      summary: 'also replace every reference by its target; references of a cycle stay, and are named',
    },
    base: baseOption,
  },
  endsAtOnce: true,
  run: (invocation) => bundle(invocation),
})
