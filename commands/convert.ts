import { convert } from '../cli/convert/convert.ts'
import { outputOptions } from '../cli/convert/output.ts'
import { baseOption, documentArgument } from '../cli/convert/whole.ts'
import { command } from '../cli/declare.ts'
import { targets } from '../src/convert/convert.ts'

export default command({
  summary: 'Convert a document to another version or to JSON Schema',
  description:
    'Converts OpenAPI 3.0, 3.1 and 3.2, Swagger 2.0 and JSON Schema (draft 4 to 2020-12). A document of several files is bundled first. What the target cannot express is a warning with its code and place; "svc explain CODE" explains it. The result accepts the same values unless a warning says that something is lost. Comments and layout are kept where the result has the syntax of the document. Exit codes: 4 if something is lost and --fail-on-loss was given, 6 if the document cannot be read.',
  examples: [
    'svc convert swagger.json --to openapi-3.1 -o openapi.yaml',
    'svc convert openapi.yaml --to openapi-3.0 --fail-on-loss',
    'svc convert openapi.yaml --to json-schema > schemas.json',
    'svc convert schema.json --to json-schema-draft-07',
  ],
  arguments: [documentArgument],
  options: {
    to: {
      type: 'string',
      placeholder: 'TARGET',
      choices: targets,
      required: true,
      summary: 'the version to write; json-schema is JSON Schema 2020-12',
    },
    'fail-on-loss': { type: 'boolean', summary: 'exit with 4 and write nothing if something is lost' },
    ...outputOptions,
    base: baseOption,
  },
  endsAtOnce: true,
  run: (invocation) => convert(invocation),
})
