import { Link } from 'wouter';

interface DoorProps {
  readonly path: string;
  readonly name: string;
  readonly step: string;
  readonly children: string;
}

/** A card that leads to a page. */
export function Door({ path, name, step, children }: DoorProps) {
  return (
    <div className="door">
      <p className="eyebrow">{step}</p>
      <Link href={path} className="door-name">
        {name}
      </Link>
      <p>{children}</p>
    </div>
  );
}
