import { messageTemplate } from '../src/error-text.ts'
import { catalogue, SvcError, type Code } from '../src/errors.ts'
import { suggest } from '../src/suggest.ts'
import { command } from './command.ts'

const codes = Object.keys(catalogue) as Code[]

export default command({
  summary: 'Say what a code means and what to do about it',
  description: 'Explains an error code. Without a code, all of them are listed.',
  examples: ['svc explain project-not-found', 'svc explain'],
  arguments: [{ name: 'code', summary: 'the code, as it stands in an error' }],
  options: {},
  run: async ({ args }) => {
    if (args.code === undefined) {
      return { data: codes.map((code) => ({ code, exitCode: catalogue[code].exit })), text: `${codes.join('\n')}\n` }
    }
    const code = codes.find((it) => it === args.code)
    if (code === undefined) {
      const near = suggest(args.code, codes)
      const meant = near === null ? '; "svc explain" lists all codes' : `; did you mean ${near}?`
      throw new SvcError('usage', { reason: `There is no code "${args.code}"${meant}` })
    }
    const { status, exit, hint } = catalogue[code]
    const message = messageTemplate(code)
    return {
      data: { code, kind: 'error', message, hint, status, exitCode: exit },
      text: `${code}\n\n${message}\n${hint}\n\nHTTP status ${status}, exit code ${exit}.\n`,
    }
  },
})
