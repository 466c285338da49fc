import { Thread, threadsApi } from '../../src/api/threads.ts'
import { command } from '../../cli/declare.ts'
import { threadArguments, threadText, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Show a thread with its comments and suggestions',
  examples: ['svc thread show petstore 1.2.0 THREAD'],
  arguments: threadArguments,
  options: {},
  dataSchema: Thread,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { ...(await versionParamsOf(args, tenant)), thread_id: args.thread }
    const thread = await call(threadsApi.get, { params })
    return { data: thread, text: () => threadText(thread) }
  },
})
