import { Comment, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { patchOption, suggestionOf, threadArguments, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Add a comment to an open thread',
  examples: ['svc thread reply petstore 1.2.0 THREAD "Because it may be \\"all\\"."'],
  arguments: [...threadArguments, { name: 'text', required: true, summary: 'the comment in Markdown' }],
  options: { suggestion: patchOption },
  dataSchema: Comment,
  async run({ args, options, connection, ...from }) {
    const { call, tenant } = await connection()
    const comment = await call(threadsApi.comment, {
      params: { ...(await versionParamsOf(args, tenant)), thread_id: args.thread },
      body: { body: args.text, ...(await suggestionOf(options.suggestion, from)) },
    })
    return { data: comment, text: `Added comment ${comment.id}\n` }
  },
})
