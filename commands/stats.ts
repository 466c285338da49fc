import { command } from '../cli/declare.ts'
import { countFiles } from '../cli/stats/stats.ts'

export default command({
  summary: 'Count what documents consist of, and what is described',
  description:
    'Counts paths, operations, schemas, parameters, references, tags, components that nothing uses, and how much has descriptions, examples and security. One document is shown in full, several as one line each. A document is counted with the files that it refers to.',
  examples: [
    'svc stats openapi.yaml',
    'svc stats apis',
    'svc stats openapi.yaml --format json',
    'svc stats petstore@1.2.0',
  ],
  arguments: [
    {
      name: 'files',
      summary:
        'files, folders, globs, APIs of svc.yaml, URLs or PROJECT@VERSION; - reads standard input (default: the current folder)',
      variadic: true,
      namesApis: true,
    },
  ],
  options: {
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['text', 'json'],
      default: 'text',
      summary: 'format of standard output',
    },
  },
  endsAtOnce: true,
  run: (invocation) => countFiles(invocation),
})
