/** The entry of an analysis process where the program runs from its sources. */
import { runAnalysisProcess } from './child.ts'

await runAnalysisProcess()
