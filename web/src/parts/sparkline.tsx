const [width, height, margin] = [120, 28, 4]

/** A line through some values, oldest first, with a dot at the last; what it says is its label. */
export const Sparkline = ({
  values,
  label,
}: {
  values: readonly number[]
  /** For readers who do not see it. */
  label: string
}) => {
  if (values.length < 2) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  // A level line is drawn in the middle.
  const share = (value: number): number => (high === low ? 0.5 : (value - low) / (high - low))
  const points = values.map((value, index) => ({
    x: margin + (index * (width - 2 * margin)) / (values.length - 1),
    y: height - margin - share(value) * (height - 2 * margin),
  }))
  const last = points.at(-1)
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="text-accent"
    >
      <title>{label}</title>
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      {last ? <circle cx={last.x} cy={last.y} r="2.5" fill="currentColor" /> : null}
    </svg>
  )
}
