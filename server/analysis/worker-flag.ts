/** The argument that makes this program an analysis process instead of a command line. */
export const analysisWorkerFlag = '__analysis'
