import { Thread, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { threadArguments, threadText, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Resolve a thread',
  examples: ['svc thread resolve petstore 1.2.0 THREAD'],
  arguments: threadArguments,
  options: {},
  dataSchema: Thread,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { ...(await versionParamsOf(args, tenant)), thread_id: args.thread }
    const thread = await call(threadsApi.resolve, { params })
    return { data: thread, text: () => threadText(thread) }
  },
})
