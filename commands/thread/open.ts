import { Thread, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { patchOption, suggestionOf, threadText, versionParamsOf } from '../../cli/review/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Open a thread on a place of a document',
  examples: [
    'svc thread open petstore 1.2.0 /paths/~1pets/get "Why is limit a string?"',
    'svc thread open petstore 1.2.0 /info/title "Shorter" --suggestion patch.json',
  ],
  arguments: [
    ...versionArguments,
    { name: 'pointer', required: true, summary: 'JSON Pointer of the place; "" is the whole document' },
    { name: 'text', required: true, summary: 'the comment in Markdown' },
  ],
  options: { suggestion: patchOption },
  dataSchema: Thread,
  async run({ args, options, connection, ...from }) {
    const { call, tenant } = await connection()
    const thread = await call(threadsApi.open, {
      params: await versionParamsOf(args, tenant),
      body: { anchor: { pointer: args.pointer }, body: args.text, ...(await suggestionOf(options.suggestion, from)) },
    })
    return { data: thread, text: () => `Thread ${thread.id}\n${threadText(thread)}` }
  },
})
