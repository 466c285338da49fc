import { outputOptions } from '../cli/convert/output.ts'
import { command } from '../cli/declare.ts'
import { join } from '../cli/join/join.ts'

export default command({
  summary: 'Join several descriptions to one',
  description:
    'Writes one description with the paths, webhooks and components of all, and the title, servers and security of the first. Every operation means what it meant: components that are the same are there once, others of the same name get the prefix of their file, and so do operation ids; servers and security that differ are written to the operations. Files that refer to others are bundled first; OpenAPI of several versions, and Swagger 2.0, become OpenAPI of the highest one. Conflicts are reported by operation and schema. Exit codes: 6 if a document cannot be read, or two of them have one operation that is not the same.',
  examples: [
    'svc join shop.yaml users.yaml -o all.yaml',
    'svc join shop.yaml users.yaml --prefix users.yaml=Accounts --title "All APIs"',
    'svc join v1.yaml v2.yaml --path-prefix v2.yaml=/v2',
  ],
  arguments: [
    {
      name: 'files',
      required: true,
      variadic: true,
      summary:
        'two or more files, APIs of svc.yaml, URLs, files of a git revision or PROJECT@VERSION; the first gives title, servers and security',
      namesApis: true,
    },
  ],
  options: {
    ...outputOptions,
    prefix: {
      type: 'string',
      placeholder: 'FILE=PREFIX',
      multiple: true,
      summary: 'prefix for names of a file that are in conflict (default: the name of the file)',
    },
    'path-prefix': {
      type: 'string',
      placeholder: 'FILE=/PREFIX',
      multiple: true,
      summary: 'put the paths of a file below a prefix',
    },
    title: { type: 'string', placeholder: 'TEXT', summary: 'title of the result (default: that of the first)' },
  },
  endsAtOnce: true,
  run: (invocation) => join(invocation),
})
