import type { BaselineMode } from '../../../../src/api/baseline-modes.ts'

/** The baseline of the report: its mode, and the version if the mode is manual. */
export interface Baseline {
  readonly mode: BaselineMode
  /** The id of the version; "" while none is chosen. */
  readonly revision: string
}

export const baselineBody = ({ mode, revision }: Baseline) =>
  mode === 'auto'
    ? {}
    : {
        changeReportBaselineMode: mode,
        ...(mode === 'manual' ? { changeReportBaselineRevisionId: revision } : {}),
      }
