import { command } from '../cli/declare.ts'
import { exportDocument } from '../cli/convert/export.ts'
import { baseOption, documentArgument } from '../cli/convert/whole.ts'

export default command({
  summary: 'Write documentation or schemas of a document',
  description:
    'Writes a reference of an OpenAPI, Swagger or JSON Schema document: one HTML page that needs no server and no network, with a search, links and both themes; or Markdown. Texts of the document are shown without scripts, images and styles. With --as playground, writes one HTML page in which the document can be edited, linted, compared and converted; it sends nothing. With --as json-schema, writes its schemas as one document, or as a file for each schema where --output is a folder. A document of several files is bundled first. Exit codes: 6 if the document cannot be read.',
  examples: [
    'svc export openapi.yaml --as html -o reference.html',
    'svc export petstore@1.2.0 --as markdown > reference.md',
    'svc export openapi.yaml --as json-schema -o schemas/',
    'svc export openapi.yaml --as playground -o try.html',
  ],
  arguments: [documentArgument],
  options: {
    as: {
      type: 'string',
      placeholder: 'FORM',
      choices: ['html', 'markdown', 'json-schema', 'playground'],
      required: true,
      summary: 'format of the export',
    },
    output: {
      type: 'string',
      short: 'o',
      placeholder: 'FILE|FOLDER',
      summary: 'write to a file instead of standard output; for json-schema also to a folder (with a slash at its end)',
    },
    base: baseOption,
  },
  endsAtOnce: true,
  run: (invocation) => exportDocument(invocation),
})
