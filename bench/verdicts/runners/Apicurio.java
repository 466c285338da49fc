import io.apicurio.registry.content.ContentHandle;
import io.apicurio.registry.rules.compatibility.CompatibilityLevel;
import io.apicurio.registry.rules.compatibility.JsonSchemaCompatibilityChecker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Prints what the rule BACKWARD of Apicurio Registry says of two JSON Schemas: breaking or safe. */
public class Apicurio {
  public static void main(String[] files) throws Exception {
    ContentHandle base = ContentHandle.create(Files.readString(Path.of(files[0])));
    ContentHandle head = ContentHandle.create(Files.readString(Path.of(files[1])));
    JsonSchemaCompatibilityChecker checker = new JsonSchemaCompatibilityChecker();
    boolean isCompatible = checker.testCompatibility(CompatibilityLevel.BACKWARD, List.of(base), head, Map.of()).isCompatible();
    System.out.println(isCompatible ? "safe" : "breaking");
  }
}
