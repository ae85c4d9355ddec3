/** A picture of a pass. It says nothing that the text does not say. */
export function SamplePass() {
  return (
    <svg className="sample-pass" viewBox="0 0 360 250" aria-hidden="true">
      <g transform="rotate(-7 180 125)">
        <path
          className="sample-back"
          d="M42 60h276a14 14 0 0 1 14 14v102a14 14 0 0 1-14 14H42a14 14 0 0 1-14-14V74a14 14 0 0 1 14-14Z"
          transform="rotate(11 180 125)"
        />
        <path
          className="sample-front"
          d="M42 60h188a11 11 0 0 0 22 0h66a14 14 0 0 1 14 14v102a14 14 0 0 1-14 14h-66a11 11 0 0 0-22 0H42a14 14 0 0 1-14-14V74a14 14 0 0 1 14-14Z"
        />
        <path className="sample-line" d="M241 80v92" strokeDasharray="5 7" />
        <path className="sample-bar" d="M50 90h46" />
        <path className="sample-title" d="M50 114h122" />
        <path className="sample-bar" d="M50 152h74m12 0h40" />
        <circle className="sample-seal" cx="287" cy="125" r="28" />
        <path className="sample-check" d="m274 126 9 9 18-20" />
      </g>
    </svg>
  );
}
