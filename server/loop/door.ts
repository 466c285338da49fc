/** What other rooms use of loop. */
export { runLoop, type Begin, type Worker } from './loop.ts'
export { failingForMs } from './failing.ts'
export { Share } from './share.ts'
export { noteUnderWay, whatIsUnderWay } from './under-way.ts'
