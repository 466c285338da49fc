import type { Flow, FlowJump } from './arazzo.ts'

const box = { x: 1, width: 220, height: 32, gap: 24 }
const lane = 14
const longest = 26

const cut = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)
const top = (index: number): number => 1 + index * (box.height + box.gap)
const middle = (index: number): number => top(index) + box.height / 2

const Arrow = ({ x, y, turned }: { x: number; y: number; turned: 'down' | 'left' }) => (
  <path
    d={
      turned === 'down'
        ? `M${x - 4} ${y - 6} L${x} ${y} L${x + 4} ${y - 6}`
        : `M${x + 6} ${y - 4} L${x} ${y} L${x + 6} ${y + 4}`
    }
    fill="none"
    stroke="currentColor"
  />
)

const nthOf = (jumps: readonly FlowJump[], index: number): number =>
  jumps.slice(0, index).filter(({ from }) => from === jumps[index]?.from).length

/** One way that is not from a step to the next: a line beside the steps. To the end it ends in a bar. */
const Jump = ({ jump, index, nth, side }: { jump: FlowJump; index: number; nth: number; side: number }) => {
  const right = box.x + box.width
  const x = right + 12 + index * lane
  // Several ways from one step begin below each other.
  const from = middle(jump.from) + Math.min(4 + nth * 6, 14)
  const dash = jump.after === 'failure' ? { strokeDasharray: '4 3' } : {}
  const to = jump.to === null ? null : middle(jump.to) - 6
  return (
    <g>
      <title>{jump.words}</title>
      {to === null ? (
        <path
          d={`M${right} ${from} H${x} M${x} ${from - 5} V${from + 5}`}
          fill="none"
          stroke="currentColor"
          {...dash}
        />
      ) : (
        <>
          <path d={`M${right} ${from} H${x} V${to} H${right}`} fill="none" stroke="currentColor" {...dash} />
          <Arrow x={right} y={to} turned="left" />
        </>
      )}
      <rect x={right} y={Math.min(from, to ?? from) - 6} width={side - right} height={12} fill="transparent" />
    </g>
  )
}

/** The steps of a workflow as a picture: one under the other, with the ways that actions take. */
export const WorkflowDiagram = ({ flow }: { flow: Flow }) => {
  const { steps, jumps } = flow
  const side = box.x + box.width + 24 + jumps.length * lane
  const height = top(steps.length) - box.gap + 1
  const words = [steps.join(', then '), ...jumps.map((it) => it.words)].join('. ')
  return (
    <figure className="grid gap-1">
      <svg
        role="img"
        aria-label={`Order of the steps: ${words}.`}
        viewBox={`0 0 ${side} ${height}`}
        style={{ width: '100%', maxWidth: `${side}px` }}
        className="text-soft"
      >
        {steps.map((step, index) => (
          <g key={step}>
            <rect
              x={box.x}
              y={top(index)}
              width={box.width}
              height={box.height}
              rx={6}
              fill="none"
              stroke="currentColor"
            />
            <text x={box.x + 10} y={middle(index) + 4} fontSize={12} className="font-mono" fill="currentColor">
              {cut(`${index + 1}. ${step}`)}
            </text>
            {index + 1 < steps.length ? (
              <>
                <path
                  d={`M${box.x + 20} ${top(index) + box.height} V${top(index + 1)}`}
                  fill="none"
                  stroke="currentColor"
                />
                <Arrow x={box.x + 20} y={top(index + 1)} turned="down" />
              </>
            ) : null}
          </g>
        ))}
        {jumps.map((jump, index) => (
          <Jump key={`${index} ${jump.words}`} jump={jump} index={index} nth={nthOf(jumps, index)} side={side} />
        ))}
      </svg>
      {jumps.length > 0 ? (
        <figcaption className="text-xs text-soft">
          Lines at the side are actions: dashed on failure; a bar ends the workflow.
        </figcaption>
      ) : null}
    </figure>
  )
}
