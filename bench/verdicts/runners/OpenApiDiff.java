import org.openapitools.openapidiff.core.OpenApiCompare;
import org.openapitools.openapidiff.core.model.ChangedOpenApi;

/** Prints what openapi-diff says of two files: breaking or safe. */
public class OpenApiDiff {
  public static void main(String[] files) {
    ChangedOpenApi changed = OpenApiCompare.fromLocations(files[0], files[1]);
    System.out.println(changed.isIncompatible() ? "breaking" : "safe");
  }
}
