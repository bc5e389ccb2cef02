//! One visitor over all parameters of a model, in one order and under one set of names.
//!
//! It serves the optimiser, the checkpoint, initialisation and the gradient checks alike, so that no
//! parameter can be forgotten in one of them. A gradient has the type of the parameters it belongs to and
//! is visited in the same way.

use ndarray::{Array1, Array2};

/// One named parameter: `V` is `&[f32]` or `&mut [f32]`, row-major.
#[derive(Debug)]
pub struct Parameter<V> {
    /// The name in checkpoints, such as `decoder.attention.w_a`.
    pub name: String,
    /// The shape; weights are `[in, out]`, embeddings `[vocabulary, size]`.
    pub shape: Vec<usize>,
    /// The numbers, row-major.
    pub values: V,
}

/// What has parameters.
pub trait Parameters {
    /// Appends every parameter, named below `prefix`.
    fn visit<'a>(&'a self, prefix: &str, out: &mut Vec<Parameter<&'a [f32]>>);

    /// As [`visit`](Self::visit), writable; the same names in the same order.
    fn visit_mut<'a>(&'a mut self, prefix: &str, out: &mut Vec<Parameter<&'a mut [f32]>>);
}

/// `prefix.name`, or `name` at the top.
pub(crate) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() {
        name.to_owned()
    } else {
        format!("{prefix}.{name}")
    }
}

macro_rules! array_parameters {
    ($($array:ty),*) => {$(
        impl Parameters for $array {
            fn visit<'a>(&'a self, prefix: &str, out: &mut Vec<Parameter<&'a [f32]>>) {
                let shape = self.shape().to_vec();
                let values = self.as_slice().expect("parameters are contiguous");
                out.push(Parameter { name: prefix.to_owned(), shape, values });
            }

            fn visit_mut<'a>(&'a mut self, prefix: &str, out: &mut Vec<Parameter<&'a mut [f32]>>) {
                let shape = self.shape().to_vec();
                let values = self.as_slice_mut().expect("parameters are contiguous");
                out.push(Parameter { name: prefix.to_owned(), shape, values });
            }
        }
    )*};
}

array_parameters!(Array1<f32>, Array2<f32>);

impl<P: Parameters> Parameters for Option<P> {
    fn visit<'a>(&'a self, prefix: &str, out: &mut Vec<Parameter<&'a [f32]>>) {
        if let Some(inner) = self {
            inner.visit(prefix, out);
        }
    }

    fn visit_mut<'a>(&'a mut self, prefix: &str, out: &mut Vec<Parameter<&'a mut [f32]>>) {
        if let Some(inner) = self {
            inner.visit_mut(prefix, out);
        }
    }
}

/// Implements [`Parameters`] for a struct from the list of its fields; the field's name is the part of the
/// parameter's name.
macro_rules! field_parameters {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::engine::parameters::Parameters for $type {
            fn visit<'a>(&'a self, prefix: &str, out: &mut Vec<$crate::engine::parameters::Parameter<&'a [f32]>>) {
                $(self.$field.visit(&$crate::engine::parameters::join(prefix, stringify!($field)), out);)*
            }

            fn visit_mut<'a>(
                &'a mut self,
                prefix: &str,
                out: &mut Vec<$crate::engine::parameters::Parameter<&'a mut [f32]>>,
            ) {
                $(self.$field.visit_mut(&$crate::engine::parameters::join(prefix, stringify!($field)), out);)*
            }
        }
    };
}
pub(crate) use field_parameters;
