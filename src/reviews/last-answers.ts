/** Which answers of people count who were asked several times about one version. */

/** What a member was asked in one review, and answered. */
export interface AskedOnce {
  readonly userId: string
  readonly state: 'pending' | 'approved' | 'changes_requested' | 'withdrawn'
  /** As an ISO text in UTC; null: not answered. */
  readonly decidedAt: string | null
}

/** A row that is an answer. */
export type AnsweredOnce<Row extends AskedOnce> = Row & { readonly state: 'approved' | 'changes_requested' }

const isAnswer = <Row extends AskedOnce>(row: Row): row is AnsweredOnce<Row> =>
  row.state === 'approved' || row.state === 'changes_requested'

/** Whether an answer is later than another one; of two at the same instant an objection is. */
function isLater<Row extends AskedOnce>(one: AnsweredOnce<Row>, other: AnsweredOnce<Row>): boolean {
  const [a, b] = [one.decidedAt ?? '', other.decidedAt ?? '']
  return a === b ? one.state === 'changes_requested' : a > b
}

/**
 * The last answer of each person. Who takes an answer back, or leaves a review without one, has the answer to another review still.
 * @returns in the order in which people are first found among the rows
 */
export function lastAnswers<Row extends AskedOnce>(rows: readonly Row[]): AnsweredOnce<Row>[] {
  const last = new Map<string, AnsweredOnce<Row>>()
  for (const row of rows.filter(isAnswer)) {
    const known = last.get(row.userId)
    if (known === undefined || isLater(row, known)) last.set(row.userId, row)
  }
  return [...last.values()]
}
