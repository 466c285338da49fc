import { command } from '../cli/declare.ts'
import { catalogue } from '../src/errors.ts'
import { listCodes } from '../cli/explain.ts'
import { explain } from '../src/explain/explain.ts'

export default command({
  summary: 'Explain an error code, a rule or an exit code',
  description:
    'Explains an error code, a lint rule, a change rule, a warning of a conversion or an exit code. Without an argument, all exit codes and error codes are listed.',
  examples: [
    'svc explain project-not-found',
    'svc explain operation-tags',
    'svc explain parameter-required-added',
    'svc explain 4',
    'svc explain',
  ],
  arguments: [
    {
      name: 'code',
      summary: 'an error code, rule id or exit code',
      suggestions: Object.keys(catalogue),
    },
  ],
  options: {},
  run: ({ args }) => (args.code === undefined ? Promise.resolve(listCodes()) : explain(args.code)),
})
